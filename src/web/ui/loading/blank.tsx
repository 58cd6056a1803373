// Shown in place of a part until its script has loaded; the texts in it are blank.

const ROWS = 8;
const DIALOG_ROWS = 3;

const Rows = ({ count }: { count: number }) => (
  <ul class="blanks" aria-hidden="true">
    {Array.from({ length: count }, (_, index) => (
      <li key={index} />
    ))}
  </ul>
);

/** Placeholder rows with the height of the rows to come. */
export const BlankRows = () => <Rows count={ROWS} />;

/** The placeholder of a dialog, with fewer rows than a page. */
export const BlankDialogRows = () => <Rows count={DIALOG_ROWS} />;

/** An icon button, or a line as high as one. */
export const BlankIcon = ({ size }: { size?: "s" | "xs" }) => (
  <span class="icon-btn" data-size={size} aria-hidden="true" />
);

/** The bar has a title, maybe a line below it, and buttons. */
const BlankBar = ({ hasSub }: { hasSub: boolean }) => (
  <header class="bar" aria-hidden="true">
    <div class="bar-main">
      <p class="blank-title">&nbsp;</p>
      {hasSub && <p class="sub">&nbsp;</p>}
    </div>
    <BlankIcon />
  </header>
);

export const Blank = ({ hasSub = true }: { hasSub?: boolean }) => (
  <>
    <BlankBar hasSub={hasSub} />
    <div class="scroll" aria-busy="true">
      <div class="col">
        <BlankRows />
      </div>
    </div>
  </>
);

export const BlankField = () => (
  <p class="field" aria-hidden="true">
    <input disabled />
  </p>
);

/** Settings have a list of pages beside the page, or fields above it on narrow screens. */
export const BlankSettings = () => (
  <>
    <BlankBar hasSub={false} />
    <div class="pages" aria-busy="true">
      <div class="pages-nav" aria-hidden="true">
        <BlankField />
        <p class="field pages-jump">
          <select disabled />
        </p>
      </div>
      <div class="pages-body">
        <div class="in">
          <BlankRows />
        </div>
      </div>
    </div>
  </>
);

/** The search field, and the line that describes the search. */
export const BlankSearch = () => (
  <div aria-hidden="true">
    <header class="bar">
      <span class="icon-btn back" />
      <div class="search-field field">
        <input disabled />
      </div>
    </header>
    <div class="col">
      <p class="says">
        <BlankIcon size="xs" />
      </p>
    </div>
  </div>
);

/** The tab bar of phones is as high as each of its tabs. */
export const BlankTabs = () => (
  <div class="tabbar" aria-hidden="true">
    <i />
  </div>
);

/** The frame of the app. */
export const BlankApp = ({ attempt }: { attempt: string }) => (
  <div class="app">
    <div class="sidebar" aria-hidden="true" />
    <main class="sheet" id="main" aria-busy="true" data-connection={attempt} />
  </div>
);

/** The user's button and the settings, with the size of an avatar. */
export const BlankFoot = () => (
  <div class="sidebar-foot" aria-hidden="true">
    <span class="sidebar-user">
      <i class="av" data-size="32" />
      <span class="blank-text" />
    </span>
    <BlankIcon />
  </div>
);

/** A sentence in the middle of a view. */
export const BlankNote = () => (
  <p class="feed-note" aria-hidden="true">
    <span class="blank-text" />
  </p>
);

/** The end of search results. */
export const BlankEnd = () => (
  <div class="col" aria-hidden="true">
    <p class="end-of">
      <span class="blank-text" />
    </p>
  </div>
);

export const BlankPanel = () => <aside class="panel" aria-hidden="true" />;
