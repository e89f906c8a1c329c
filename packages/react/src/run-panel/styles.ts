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
  --surface: var(--offthread-surface, light-dark(#ffffff, #191b1e));
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
  --name: 8.5rem;
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

  *, *::before, *::after { box-sizing: border-box; }
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
  [data-part="empty"] { margin: auto; padding: 2rem 1.5rem; max-inline-size: 20rem; color: var(--ink-3); text-align: center; text-wrap: balance; }
  [data-part="quiet"] { color: var(--ink-3); }

  [data-part="toolbar"] {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem;
    padding: 0.5rem 0.75rem;
  }
  [data-part="spring"] { flex: 1; }
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

  [data-part="timeline"] { flex: none; display: flex; flex-direction: column; max-block-size: max(11rem, 100% - 9.5rem); }
  [data-part="rows"] { flex: 0 1 auto; min-block-size: 0; overflow: hidden auto; scrollbar-width: thin; scrollbar-gutter: stable; }
  [data-part="axis"], [data-part="cell"], [data-part="playhead"] {
    display: grid;
    grid-template-columns: var(--name) minmax(0, 1fr) 4.25rem;
    gap: 0.5rem;
    padding-inline: 0.75rem;
  }
  [data-part="axis"] {
    flex: none;
    block-size: 1.375rem;
    overflow: hidden;
    border-block-end: 1px solid var(--line);
    color: var(--ink-3);
    font-size: 0.6875rem;
    scrollbar-gutter: stable;
  }
  [data-part="track"] { grid-column: 2; position: relative; overflow: clip; }
  [data-part="axis"] [data-part="track"] { overflow: visible; }
  [data-part="tick"] { padding-inline-start: 0.25rem; border-inline-start: 1px solid var(--line); line-height: 1.375rem; white-space: nowrap; }
  [data-part="cell"] { align-items: center; block-size: 100%; cursor: default; }
  [data-part="row"]:hover { background: var(--sunken); }
  [data-part="row"][data-active="true"] { background: var(--accent-soft); }
  :is([data-part="rows"], [data-part="events"])[aria-activedescendant]:focus-visible { outline: none; }
  :focus-visible > * > :is([data-part="row"], [data-part="event"])[data-active="true"] { box-shadow: inset 3px 0 var(--accent); }
  [data-part="label"] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  [data-part="label"] > [aria-hidden] { color: var(--warn); font-weight: 600; }
  :is([data-end="failed"], [data-end="timed_out"], [data-end="error"]) [data-part="label"] > [aria-hidden] { color: var(--bad); }
  [data-part="row"][data-kind="run"] [data-part="label"] { font-weight: 600; }
  [data-part="row"][data-kind="answer"] [data-part="label"] { color: var(--ink-3); }
  [data-part="took"] { color: var(--ink-3); text-align: end; white-space: nowrap; }
  [data-part="row"] [data-part="track"] { block-size: 100%; }
  [data-part="playhead"] { pointer-events: none; }
  [data-part="line"] { inline-size: 2px; margin-inline-start: -1px; background: var(--bad); }

  [data-part="bar"] {
    --tone: var(--accent);
    inset-block: 0.4375rem;
    min-inline-size: 2px;
    border-radius: 2px;
    background: var(--tone);
  }
  [data-end="failed"] [data-part="bar"], [data-end="timed_out"] [data-part="bar"], [data-end="error"] [data-part="bar"] { --tone: var(--bad); }
  [data-end="cancelled"] [data-part="bar"], [data-end="interrupted"] [data-part="bar"], [data-end="denied"] [data-part="bar"] { --tone: var(--warn); }
  [data-kind="run"] [data-part="bar"] { inset-block: 0.6875rem; --tone: var(--ink-3); }
  [data-kind="answer"] [data-part="bar"][data-phase="streaming"], [data-part="legend"] [data-phase="streaming"] { --tone: color-mix(in srgb, var(--ink) 60%, var(--surface)); }
  [data-part="bar"][data-phase="asking"] { background: repeating-linear-gradient(135deg, var(--ink-3) 0 1px, transparent 1px 5px), var(--sunken); }
  [data-part="bar"][data-phase="input"] { background: repeating-linear-gradient(90deg, var(--tone) 0 2px, transparent 2px 5px); opacity: 0.7; }
  [data-part="bar"][data-phase="waiting"] { background: none; border: 1px solid var(--line-strong); }
  [data-part="bar"]:is([data-phase="approval"], [data-phase="answer"]) { background: none; border: 1px dashed var(--warn); }
  [data-part="bar"][data-phase="starting"] { background: radial-gradient(circle at center, var(--tone) 1px, transparent 1.5px) 0 center / 4px 4px; }
  [data-part="bar"][data-phase="cancelling"] { background: repeating-linear-gradient(135deg, var(--warn) 0 3px, transparent 3px 6px); }
  [data-part="bar"][data-phase="pausing"] { background: linear-gradient(var(--line-strong), var(--line-strong)) center / 100% 1px no-repeat; }

  [data-part="legend"] { flex: none; display: flex; flex-wrap: wrap; gap: 0.25rem 0.875rem; padding: 0.5rem 0.75rem; border-block-start: 1px solid var(--line); color: var(--ink-3); font-size: 0.6875rem; }
  [data-part="legend"] li { display: flex; align-items: center; gap: 0.375rem; }
  [data-part="legend"] [data-part="bar"] { inline-size: 1.25rem; block-size: 0.625rem; }
  [data-part="facts"] { flex: none; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0.625rem 0.75rem; border-block-start: 1px solid var(--line); }
  [data-part="facts"] dt { color: var(--ink-3); font-size: 0.6875rem; }
  [data-part="facts"] dd { font-weight: 550; }
  [data-part="row-detail"] { flex: none; display: grid; gap: 0.25rem; padding: 0.625rem 0.75rem; border-block-start: 1px solid var(--line); overflow-wrap: anywhere; }
  [data-part="row-detail"] [data-part="buttons"] { padding-block-start: 0.25rem; }

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
  tr[data-end="failed"] td:nth-child(2), tr[data-end="error"] td:nth-child(2) { color: var(--bad); }
  tfoot :is(th, td) { border: 0; font-weight: 600; }

  [data-part="events"] { flex: 1 1 0; min-block-size: 8rem; overflow: auto; border-block-start: 1px solid var(--line); scrollbar-width: thin; }
  [data-part="event"] {
    display: grid;
    grid-template-columns: 2.5rem 3.5rem minmax(5rem, 9.25rem) minmax(0, 1fr);
    align-items: center;
    gap: 0.5rem;
    padding-inline: 0.75rem;
    font-size: 0.75rem;
    cursor: default;
  }
  [data-part="event"] > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  [data-part="event"] :is([data-part="position"], [data-part="at"]) { color: var(--ink-3); text-align: end; }
  [data-part="type"], [data-part="summary"] { font-family: var(--mono); font-size: 0.6875rem; }
  [data-part="summary"] { color: var(--ink-2); }
  [data-part="event"]:hover { background: var(--sunken); }
  [data-part="event"][data-active="true"] { background: var(--accent-soft); }
  [data-part="event-detail"] { flex: 1 1 0; min-block-size: 8rem; overflow: auto; padding: 0.625rem 0.75rem 1rem; border-block-start: 1px solid var(--line); }
  [data-part="detail"] { display: grid; gap: 0.375rem; padding-block-start: 0.5rem; overflow-wrap: anywhere; }
  [data-part="detail"] h3 { font-weight: 600; }
  [data-part="detail"] small { color: var(--ink-3); font-size: 0.75rem; font-weight: 400; }
  [data-part="detail"] h4 { padding-block-start: 0.375rem; color: var(--ink-3); font-size: 0.6875rem; }
  pre, code, del, ins { font-family: var(--mono); font-size: 0.6875rem; line-height: 1.5; }
  pre { white-space: pre-wrap; }
  [data-part="changes"] { display: grid; gap: 0.125rem; }
  del { color: var(--bad); text-decoration: line-through; text-decoration-thickness: 1px; }
  ins { color: var(--good); text-decoration: none; }

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
  [data-part="bar-button"] { inline-size: 1.625rem; block-size: 1.625rem; border-radius: 0.375rem; line-height: 1; }
  output { min-inline-size: 5.5em; color: var(--ink-2); font-size: 0.75rem; text-align: end; white-space: nowrap; }

  @container offthread-panel (min-width: 45rem) {
    [data-part="timeline"] { max-block-size: max(11rem, 100% - 7rem); }
    [data-part="facts"] > div { display: flex; align-items: baseline; gap: 0.375rem; }
  }
  @container offthread-panel (max-width: 25rem) {
    [data-part="axis"], [data-part="cell"], [data-part="playhead"] { grid-template-columns: 6rem minmax(0, 1fr) 3.5rem; }
    [data-part="event"] { grid-template-columns: 2rem minmax(5rem, 8.5rem) minmax(0, 1fr); }
    [data-part="event"] [data-part="at"] { display: none; }
    [data-part="toolbar"] { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
    [data-part="toolbar"] > * { flex: none; }
    [data-part="toolbar"] > [data-part="search"] { flex: 1 0 8rem; }
    [data-part="toolbar"] > [data-part="select"] { max-inline-size: 7.5rem; }
    [data-part="toolbar"] > [data-part="spring"] { flex: 1; }
    [data-part="timeline"] { max-block-size: max(10rem, 100% - 7rem); }
    [data-part="facts"] { padding-block: 0.5rem; }
  }
  @media (pointer: coarse) {
    [data-part="tab"] { min-block-size: 2.75rem; }
    [data-part="button"], [data-part="chip"], [data-part="select"], [data-part="search"], [data-part="bar-button"] { min-block-size: 2.25rem; min-inline-size: 2.25rem; font-size: 0.8125rem; }
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
    [data-active="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
  }
}
`
