// Maps the language tags that users type to the names that clients know.

/** The canonical name; an unknown tag stays unchanged. */
export function languageName(tag: string): string {
  return names().get(tag) ?? tag;
}

/** Names of languages that users can type. */
export function languageTags(): string[] {
  return [...names().keys()];
}

let namesByAlias: Map<string, string> | undefined;

function names(): Map<string, string> {
  if (namesByAlias !== undefined) return namesByAlias;
  namesByAlias = new Map();
  for (const line of TABLE.trim().split("\n")) {
    const [name, tags] = line.split(": ") as [string, string];
    for (const tag of tags.split(" ")) namesByAlias.set(tag, name);
  }
  return namesByAlias;
}

const TABLE = `
ActionScript: actionscript as
ActionScript 3: actionscript3 as3
Ada: ada ada95 ada2005
Agda: agda
ANTLR: antlr
ApacheConf: apacheconf aconf apache
APL: apl
AppleScript: applescript
Arduino: arduino
AsciiDoc: asciidoc adoc
Augeas: augeas
AutoHotkey: autohotkey ahk
AutoIt: autoit
Awk: awk gawk mawk nawk
Bash: bash sh ksh zsh shell openrc
Bash Session: console shell-session
Batchfile: batch bat dosbatch winbatch
BibTeX: bibtex bib
Boo: boo
Brainfuck: brainfuck bf
C: c
C#: csharp c# cs
C++: cpp c++
Ceylon: ceylon
CFEngine3: cfengine3 cf3
Chapel: chapel chpl
Clojure: clojure clj
ClojureScript: clojurescript cljs
CMake: cmake
COBOL: cobol
CoffeeScript: coffeescript coffee-script coffee
Common Lisp: common-lisp cl lisp
Coq: coq
Crystal: cr crystal
CSS: css
CSS+Jinja: css+jinja css+django
CUDA: cuda cu
Cypher: cypher
Cython: cython pyx pyrex
D: d
Dart: dart
Debian Control file: debcontrol control
Delphi: delphi pas pascal objectpascal
Diff: diff udiff
Django/Jinja: django jinja
Docker: docker dockerfile
DTD: dtd
EBNF: ebnf
Eiffel: eiffel
Elixir: elixir ex exs
Elixir iex session: iex
Elm: elm
EmacsLisp: emacs-lisp elisp emacs
E-mail: email eml
ERB: erb
Erlang: erlang
Erlang erl session: erl
F#: fsharp f#
Factor: factor
Fish: fish fishshell
Forth: forth
Fortran: fortran f90
FortranFixed: fortranfixed
GAS: gas asm
GDScript: gdscript gd
Gherkin: gherkin cucumber
GLSL: glsl
Gnuplot: gnuplot
Go: go golang
GraphQL: graphql
Graphviz: graphviz dot
Groff: groff nroff man
Groovy: groovy
Haml: haml
Handlebars: handlebars
Haskell: haskell hs
Haxe: haxe hxsl hx
HLSL: hlsl
HTML: html
HTML+Django/Jinja: html+django html+jinja htmldjango
HTML+Handlebars: html+handlebars
HTML+PHP: html+php
HTTP: http
Hy: hylang hy
Idris: idris idr
INI: ini cfg dosini
Io: io
J: j
Java: java
JavaScript: javascript js
Java Server Page: jsp
JSON: json json-object
JSON5: json5
JSON-LD: jsonld json-ld
JSX: jsx react
Julia: julia jl
Julia console: jlcon julia-repl
Kconfig: kconfig menuconfig linux-config kernel-config
Kotlin: kotlin
Lean: lean lean3
Lean4: lean4
LessCss: less
Lighttpd configuration file: lighty lighttpd
Literate Haskell: literate-haskell lhaskell lhs
LiveScript: livescript live-script
LLVM: llvm
Logtalk: logtalk
Lua: lua
Makefile: make makefile mf bsdmake
Mako: mako
Markdown: markdown md
Mathematica: mathematica mma nb
Matlab: matlab
Matlab session: matlabsession
Mermaid: mermaid
Meson: meson meson.build
MIME: mime
MoonScript: moonscript moon
Mustache: mustache
MySQL: mysql
NASM: nasm
NewLisp: newlisp
Nginx configuration file: nginx
Nimrod: nimrod nim
Nix: nixos nix
NumPy: numpy
Objective-C: objective-c objectivec obj-c objc
Objective-C++: objective-c++ objectivec++ obj-c++ objc++
OCaml: ocaml
Octave: octave
OpenSCAD: openscad
Org Mode: org orgmode org-mode
PacmanConf: pacmanconf
Perl: perl pl
Perl6: perl6 pl6 raku
PHP: php php3 php4 php5
PL/pgSQL: plpgsql
PostgreSQL console (psql): psql postgresql-console postgres-console
PostgreSQL SQL dialect: postgresql postgres
PostScript: postscript postscr
POVRay: pov
PowerShell: powershell pwsh posh ps1 psm1
PowerShell Session: pwsh-session ps1con
Prolog: prolog
PromQL: promql
Properties: properties jproperties
Protocol Buffer: protobuf proto
Pug: pug jade
Puppet: puppet
PureScript: purescript
Python: python py sage python3 py3 bazel starlark pyi
Python 2.x: python2 py2
Python 2.x Traceback: py2tb
Python console session: pycon python-console
Python Traceback: pytb py3tb
QML: qml qbs
Racket: racket rkt
RConsole: rconsole rout
Reason: reasonml reason
reg: registry
reStructuredText: restructuredtext rst rest
RPMSpec: spec
Ruby: ruby rb duby
Ruby irb session: rbcon irb
Rust: rust rs
S: splus s r
SAS: sas
Sass: sass
Scala: scala
Scheme: scheme scm
Scilab: scilab
SCSS: scss
Slim: slim
Smalltalk: smalltalk squeak st
Smarty: smarty
Solidity: solidity
SPARQL: sparql
SQL: sql
sqlite3con: sqlite3
SquidConf: squidconf squid.conf squid
Standard ML: sml
Stata: stata do
Svelte: svelte
SVG: svg
Swift: swift
SWIG: swig
systemd: systemd
systemverilog: systemverilog sv
Tcl: tcl
Tcsh: tcsh csh
Terraform: terraform tf hcl
TeX: tex latex
Text only: text
Textile: textile
Thrift: thrift
TOML: toml
Transact-SQL: tsql t-sql
Turtle: turtle
Twig: twig
TypeScript: typescript ts
Typst: typst
Vala: vala vapi
VB.net: vb.net vbnet lobas oobas sobas visual-basic visualbasic
VBScript: vbscript
Velocity: velocity
verilog: verilog v
vhdl: vhdl
VimL: vim
Vue: vue
WebAssembly: wast wat
WebIDL: webidl
Wikitext: wikitext mediawiki
X10: x10 xten
XML: xml
XQuery: xquery xqy xq xql xqm
XSLT: xslt
YAML: yaml
YANG: yang
Zig: zig
`;
