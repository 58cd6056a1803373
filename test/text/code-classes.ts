// CSS classes of code that the strictest client knows; it does not display blocks with others.

export const CODE_CLASSES: ReadonlySet<string> = new Set(
  (
    "w esc err x k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi " +
    "vm l ld s sa sb sc dl sd s2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp " +
    "cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt"
  ).split(" "),
);
