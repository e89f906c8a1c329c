import { eventsStyles } from './events-styles.ts'
import { timelineStyles } from './timeline-styles.ts'

/**
 * The look of `RunPanel`, as the text of a stylesheet. Its colours and fonts are taken from the page, where it has them:
 * `--offthread-ink`, `-ink-2` (quieter), `-ink-3`, `-surface`, `-sunken`, `-line`, `-line-strong`, `-accent`,
 * `-accent-soft`, `-bad`, `-warn`, `-font`, `-mono`. It styles nothing outside of the panel.
 *
 * @example
 * ```ts
 * const sheet = new CSSStyleSheet()
 * sheet.replaceSync(runPanelStyles)
 * document.adoptedStyleSheets.push(sheet)
 * ```
 */
export const runPanelStyles: string = `
.offthread-panel {
  --ink: var(--offthread-ink, light-dark(#191a1c, #ececea));
  --ink-2: var(--offthread-ink-2, light-dark(#515359, #b5b7bc));
  --ink-3: var(--offthread-ink-3, light-dark(#65676d, #9a9da5));
  --surface: var(--offthread-surface, light-dark(#fff, #191b1e));
  --sunken: var(--offthread-sunken, light-dark(#f1f1ee, #212428));
  --line: var(--offthread-line, light-dark(#e2e2dd, #2d3035));
  --line-strong: var(--offthread-line-strong, light-dark(#888982, #71767f));
  --accent: var(--offthread-accent, light-dark(#2348cc, #93a9ff));
  --accent-soft: var(--offthread-accent-soft, light-dark(#edf0fd, #1f2743));
  --good: var(--offthread-good, light-dark(#17693f, #70cf9c));
  --bad: var(--offthread-bad, light-dark(#ad2118, #ff9b8f));
  --warn: var(--offthread-warn, light-dark(#805300, #e6b65f));
  --font: var(--offthread-font, system-ui, sans-serif);
  --mono: var(--offthread-mono, ui-monospace, Menlo, Consolas, monospace);
  container: offthread-panel / inline-size;
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  block-size: 100%;
  min-block-size: 0;
  min-inline-size: 0;
  background: var(--surface);
  color: var(--ink);
  font: 400 0.8125rem / 1.45 var(--font);
  font-variant-numeric: tabular-nums;
  text-align: start;

  *, *::before, *::after { box-sizing: border-box; unicode-bidi: plaintext; }
  p, ul, dl, dd, h3, h4, pre { margin: 0; padding: 0; font: inherit; }
  ul { list-style: none; }
  button, input, select { font: inherit; color: inherit; }
  button { padding: 0; border: 0; background: none; cursor: pointer; }
  button:disabled { color: var(--ink-3); cursor: default; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }

  [data-part="tabs"] {
    flex: none;
    display: flex;
    gap: 0.25rem;
    padding: 0 0.75rem;
    border-block-end: 1px solid var(--line);
  }
  [data-part="tab"] {
    padding: 0.625rem 0.5rem 0.5rem;
    border-block-end: 2px solid transparent;
    margin-block-end: -1px;
    color: var(--ink-3);
    font-weight: 500;
  }
  [data-part="tab"]:hover { color: var(--ink); }
  [data-part="tab"][aria-selected="true"] { border-color: var(--accent); color: var(--ink); }
  [data-part="tab-panel"] {
    flex: 1;
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    overflow: auto;
  }
  [data-part="problem"] { flex: none; padding: 0.5rem 0.75rem; border-block-start: 1px solid var(--line); color: var(--bad); }
  [data-part="empty"] { margin: auto; padding: 2rem 1.5rem; max-inline-size: 20rem; color: var(--ink-3); text-align: center; }
  [data-part="quiet"] { color: var(--ink-3); }

  [data-part="toolbar"] {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem;
    padding: 0.5rem 0.75rem;
  }
  [data-part="toolbar"] > [data-part="button"] { margin-inline-start: auto; }
  [data-part="button"], [data-part="chip"], [data-part="select"], [data-part="search"] {
    min-block-size: 1.625rem;
    padding-inline: 0.5rem;
    border: 1px solid var(--line);
    border-radius: 0.4375rem;
    background: var(--surface);
    font-size: 0.75rem;
    white-space: nowrap;
  }
  [data-part="button"] { font-weight: 500; }
  [data-part="search"] { flex: 1 1 10rem; min-inline-size: 0; }
  [data-part="select"] { min-inline-size: 0; padding-inline: 0.25rem; text-overflow: ellipsis; }
  :is([data-part="button"], [data-part="chip"], [data-part="bar-button"]):hover:not(:disabled) { background: var(--sunken); }
  [aria-pressed="true"] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); }
  [data-part="buttons"] { display: flex; flex-wrap: wrap; gap: 0.375rem; }
  [data-part="buttons"]:empty { display: none; }

${timelineStyles}
  [data-part="table"] { overflow: auto; padding-block-end: 0.75rem; }
  [data-part="table"] > p, [data-part="table"] > button { margin: 0.75rem 0.75rem 0; }
  table { inline-size: 100%; border-collapse: collapse; font-size: 0.75rem; }
  caption { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  th, td { padding: 0.25rem 0.375rem; border-block-end: 1px solid var(--line); font-weight: 400; text-align: end; white-space: nowrap; }
  thead th { position: sticky; inset-block-start: 0; background: var(--surface); color: var(--ink-3); font-size: 0.6875rem; }
  :is(th, td):first-child { padding-inline-start: 0.75rem; text-align: start; }
  :is(th, td):last-child { padding-inline-end: 0.75rem; }
  thead th:nth-child(2), td:nth-child(2) { text-align: start; }
  [data-usage] :is(thead th, td):nth-child(2) { text-align: end; }
  tr:is([data-end="failed"], [data-end="error"]) td:nth-child(2) { color: var(--bad); }
  tfoot :is(th, td) { border: 0; font-weight: 600; }

${eventsStyles}
  [data-part="replay"] {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem;
    margin: 0;
    padding: 0.5rem 0.75rem;
    border: 0;
    border-block-start: 1px solid var(--line);
    min-inline-size: 0;
  }
  [data-part="replay"][data-replaying="true"] { background: var(--accent-soft); }
  [data-part="replay"] input { flex: 1 1 4rem; min-inline-size: 3rem; accent-color: var(--accent); }
  [data-part="bar-button"] { inline-size: 1.625rem; block-size: 1.625rem; border-radius: 0.375rem; line-height: 1; unicode-bidi: normal; }
  output { min-inline-size: 5.5em; color: var(--ink-2); font-size: 0.75rem; text-align: end; white-space: nowrap; }

  @container offthread-panel (max-width: 25rem) {
    [data-part="bar-button"][data-fine] { display: none; }
    [data-part="toolbar"] { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
    [data-part="toolbar"] > * { flex: none; }
    [data-part="toolbar"] > [data-part="search"] { flex: 1 0 8rem; }
    [data-part="toolbar"] > [data-part="select"] { max-inline-size: 7.5rem; }
  }
  @media (pointer: coarse) {
    [data-part="tab"] { min-block-size: 2.75rem; }
    [data-part="button"], [data-part="chip"], [data-part="select"], [data-part="search"], [data-part="bar-button"], [data-part="newest"] { min-block-size: 2.25rem; min-inline-size: 2.25rem; font-size: 0.8125rem; }
    [data-part="search"] { font-size: 1rem; }
  }
  @media (forced-colors: active) {
    --good: CanvasText;
    --bad: CanvasText;
    --warn: CanvasText;
    --line-strong: CanvasText;
    [data-part="tab"]:not([aria-selected="true"]) { padding-block-end: 0.625rem; border: 0; }
    [data-part="bar"] { --tone: CanvasText; --ink-3: CanvasText; --sunken: Canvas; forced-color-adjust: none; }
    [data-part="line"] { background: Highlight; }
    :is([data-part="mark"], [data-part="moment"]) { background: CanvasText; color: Canvas; forced-color-adjust: none; }
    [data-part="load"] path { fill: none; stroke: CanvasText; }
    [data-active="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
  }
}
`
