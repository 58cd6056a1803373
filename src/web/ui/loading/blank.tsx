// Shown in place of a view or a page until its script has loaded.

const ROWS = 8;

/** Placeholder rows with the height of the rows to come. */
export const BlankRows = () => (
  <ul class="blanks" aria-hidden="true">
    {Array.from({ length: ROWS }, (_, index) => (
      <li key={index} />
    ))}
  </ul>
);

/** The bar has a title and maybe a line below it; it does not move when they come. */
export const Blank = ({ hasSub = true }: { hasSub?: boolean }) => (
  <>
    <header class="bar" aria-hidden="true">
      <div class="bar-main">
        <p class="blank-title">&nbsp;</p>
        {hasSub && <p class="sub">&nbsp;</p>}
      </div>
    </header>
    <div class="scroll" aria-busy="true">
      <div class="col">
        <BlankRows />
      </div>
    </div>
  </>
);
