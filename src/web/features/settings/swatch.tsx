// A small preview of the layout in a color scheme.

interface Colors {
  ground: string;
  sheet: string;
  line: string;
  mark: string;
}

const LIGHT: Colors = { ground: "#f3f0ea", sheet: "#fdfcfa", line: "#d3cdc1", mark: "#14857a" };
const DARK: Colors = { ground: "#151615", sheet: "#252827", line: "#4a504d", mark: "#4fbdae" };
const DARK_SCHEME = 2;
const SYSTEM_SCHEME = 1;

export function ThemeSwatch({ scheme }: { scheme: number }) {
  const leftColors = scheme === DARK_SCHEME ? DARK : LIGHT;
  return (
    <span class="settings-swatch">
      <svg viewBox="0 0 160 84" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <Frame colors={leftColors} />
        {scheme === SYSTEM_SCHEME && (
          <svg x="80" width="80" height="84" viewBox="80 0 80 84">
            <Frame colors={DARK} />
          </svg>
        )}
      </svg>
    </span>
  );
}

function Frame({ colors: { ground, sheet, line, mark } }: { colors: Colors }) {
  return (
    <>
      <rect width="160" height="84" fill={ground} />
      <rect x="44" y="8" width="130" height="90" rx="8" fill={sheet} />
      <g fill={line}>
        <rect x="10" y="14" width="22" height="4" rx="2" />
        <rect x="10" y="26" width="26" height="4" rx="2" />
        <rect x="10" y="38" width="18" height="4" rx="2" />
        <rect x="76" y="22" width="60" height="4" rx="2" />
        <rect x="76" y="32" width="78" height="4" rx="2" />
        <rect x="76" y="56" width="46" height="4" rx="2" />
      </g>
      <g fill={mark}>
        <rect x="58" y="20" width="12" height="12" rx="3.5" />
        <rect x="58" y="50" width="12" height="12" rx="3.5" />
        <rect x="50" y="48" width="2.5" height="24" rx="1" />
      </g>
    </>
  );
}
