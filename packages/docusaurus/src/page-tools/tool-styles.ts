const STYLES = `
  .sekisho-tools {
    border-block-start: 1px solid var(--ifm-toc-border-color);
    font-size: 0.875rem;
    margin-block-start: 2rem;
    max-inline-size: calc(var(--sekisho-measure) / 0.875);
    padding-block-start: 1rem;
  }

  .sekisho-tools__row {
    align-items: center;
    border: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0 0 0.75rem;
    padding: 0;
  }

  .sekisho-tools legend {
    margin-block-end: 0.5rem;
    padding: 0;
  }

  .sekisho-has-head {
    position: relative;
  }

  /* Beside the breadcrumbs, or the title where there are none. */
  .sekisho-has-head > :is(nav, header):nth-child(2),
  .sekisho-has-head > .sekisho-head + .markdown > header {
    padding-inline-end: 52px;
  }

  .sekisho-head {
    inset-block-start: 0;
    inset-inline-end: 0;
    position: absolute;
    z-index: 1;
  }

  .sekisho-head-menu > summary {
    align-items: center;
    block-size: 44px;
    border-radius: var(--ifm-global-radius);
    cursor: pointer;
    display: flex;
    inline-size: 44px;
    justify-content: center;
    list-style: none;
    margin-inline-start: auto;
  }

  .sekisho-head-menu > summary::-webkit-details-marker {
    display: none;
  }

  .sekisho-head-menu > summary:hover,
  .sekisho-head-menu[open] > summary {
    background: var(--ifm-hover-overlay);
  }

  .sekisho-head-menu__panel {
    background: var(--ifm-background-surface-color);
    border: 1px solid var(--ifm-toc-border-color);
    border-radius: var(--ifm-global-radius);
    box-shadow: var(--ifm-global-shadow-md);
    font-size: 0.875rem;
    inline-size: 15rem;
    inset-inline-end: 0;
    padding: 0.75rem;
    position: absolute;
  }

  .sekisho-head-menu__panel > .sekisho-tools__row {
    align-items: stretch;
    flex-direction: column;
    margin: 0;
  }

  .sekisho-head-menu__panel > p {
    margin: 0.5rem 0 0;
  }

  .sekisho-head-menu__panel > p:empty {
    margin: 0;
  }

  :is(.sekisho-tools, .sekisho-head-menu) .button {
    align-items: center;
    background: transparent;
    border-color: currentcolor;
    color: inherit;
    display: inline-flex;
    font-family: inherit;
    font-size: 0.875rem;
    justify-content: center;
    min-block-size: 44px;
    min-inline-size: 44px;
  }

  :is(.sekisho-tools, .sekisho-head-menu) .button:hover {
    background: var(--ifm-hover-overlay);
  }

  .sekisho-tools .button {
    border-color: var(--ifm-color-emphasis-600);
    font-weight: 400;
  }

  /* Its exports are in the menu at the page's head as well: links, not a second row of buttons. */
  .sekisho-tools > .sekisho-tools__row {
    column-gap: 1.25rem;
  }

  .sekisho-tools > .sekisho-tools__row .button {
    border-color: transparent;
    color: var(--ifm-color-content-secondary);
    padding-inline: 0;
    text-decoration: underline;
    text-underline-offset: 0.22em;
  }

  .sekisho-tools [aria-pressed="true"] {
    outline: 2px solid var(--ifm-color-primary);
  }

  .sekisho-tools textarea {
    display: block;
    font: inherit;
    inline-size: 100%;
    margin-block: 0.25rem 0.5rem;
    padding: 0.35rem 0.5rem;
  }

  .sekisho-tools textarea {
    background: var(--ifm-background-surface-color);
    border: 1px solid var(--ifm-color-emphasis-600);
    border-radius: var(--ifm-global-radius);
    color: inherit;
  }

  .sekisho-tools form {
    margin-block-end: 1.5rem;
  }

  /* A list of settings on a phone: a block of name, kind, default and meaning for each instead of columns out of sight. */
  @media (width < 600px) {
    .markdown table:has(th:nth-child(4):last-child):has(td:first-child > code:only-child) {
      &, tbody, tr {
        display: block;
      }

      thead {
        display: none;
      }

      tr {
        padding-block: 0.25rem;
      }

      td:nth-child(n) {
        border-width: 0;
        display: inline-block;
        min-inline-size: 0;
        padding-block: 0.25rem;
      }

      td:is(:first-child, :last-child) {
        display: block;
      }
    }
  }

  .sekisho-zoomable {
    cursor: zoom-in;
  }

  .sekisho-zoom {
    background: var(--ifm-background-color);
    border: 0;
    block-size: 100dvb;
    cursor: zoom-out;
    inline-size: 100dvi;
    max-block-size: none;
    max-inline-size: none;
    padding: 72px 1rem 1rem;
  }

  .sekisho-zoom > .button {
    font-size: 1rem;
    inset: 1rem 1rem auto auto;
    min-block-size: 48px;
    min-inline-size: 96px;
    position: fixed;
  }

  .sekisho-zoom > img {
    block-size: 100%;
    display: block;
    inline-size: 100%;
    object-fit: contain;
  }

  /* A window as narrow as the text has no more room: the picture is larger than it, and scrolls. */
  @media (width < 48rem) {
    .sekisho-zoom > img {
      block-size: auto;
      inline-size: 48rem;
      max-inline-size: none;
    }
  }

  @media print {
    .sekisho-head,
    .sekisho-tools,
    .sekisho-table::before,
    .sekisho-table::after {
      display: none;
    }

    .sekisho-table__scroller {
      overflow: visible;
    }

    .markdown .sekisho-table :is(td, th) {
      min-inline-size: 0 !important;
    }
  }
`

let isApplied = false

/** Adds the styles of the tools to the page once. Not in the style sheet that every page loads before it is shown. */
export function applyToolStyles(): void {
  if (isApplied) return
  isApplied = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
}
