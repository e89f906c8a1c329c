/** The look of the timeline, inside of the panel's. */
export const timelineStyles = `
  [data-part="timeline"] { flex: none; display: flex; flex-direction: column; max-block-size: max(11rem, 100% - 9.5rem); }
  [data-part="rows"] { min-block-size: 0; overflow: hidden auto; scrollbar-width: thin; scrollbar-gutter: stable; }
  :is([data-part="axis"], [data-part="load"], [data-part="cell"], [data-part="playhead"], [data-part="pointed"]) {
    display: grid;
    grid-template-columns: 8.5rem minmax(0, 1fr) 4.25rem;
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
  [data-part="track"] { grid-area: 1 / 2; position: relative; overflow: clip; user-select: none; }
  [data-part="axis"] [data-part="track"] { overflow: visible; }
  [data-part="tick"] { padding-inline-start: 0.25rem; border-inline-start: 1px solid var(--line); line-height: 1.375rem; white-space: nowrap; }
  [data-part="cell"] { align-items: center; block-size: 100%; cursor: default; }
  :is([data-part="row"], [data-part="event"]):hover { background: var(--sunken); }
  :is([data-part="row"], [data-part="event"])[data-active="true"] { background: var(--accent-soft); }
  :is([data-part="rows"], [data-part="events"])[aria-activedescendant]:focus-visible { outline: none; }
  :focus-visible > * > :is([data-part="row"], [data-part="event"])[data-active="true"] { box-shadow: inset 3px 0 var(--accent); }
  [data-part="label"] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  [data-part="label"] > [aria-hidden] { color: var(--warn); font-weight: 600; }
  :is([data-end="failed"], [data-end="timed_out"], [data-end="error"]) [data-part="label"] > [aria-hidden] { color: var(--bad); }
  [data-part="row"][data-kind="run"] [data-part="label"] { font-weight: 600; }
  [data-part="row"][data-kind="answer"] [data-part="label"] { color: var(--ink-3); }
  [data-part="took"] { color: var(--ink-3); text-align: end; white-space: nowrap; }
  [data-part="row"] [data-part="track"] { block-size: 100%; }
  [data-part="fit"] { justify-self: start; border-radius: 0.25rem; color: var(--accent); font-weight: 500; }
  [data-part="load"] { flex: none; block-size: 1.75rem; align-items: end; padding-block: 0.25rem; border-block-end: 1px solid var(--line); color: var(--ink-3); font-size: 0.6875rem; overflow: hidden; scrollbar-gutter: stable; }
  [data-part="load"] [data-part="track"] { block-size: 100%; }
  [data-part="load"] path { fill: color-mix(in srgb, var(--accent) 22%, transparent); stroke: var(--accent); vector-effect: non-scaling-stroke; }
  [data-part="load"] svg:dir(rtl) { transform: scaleX(-1); }
  [data-part="later"] { background: color-mix(in srgb, var(--surface) 65%, transparent); }
  [data-part="pointed"] { overflow: hidden; scrollbar-gutter: stable; }
  [data-part="timeline"]:not([data-pointed]) > [data-part="pointed"] { display: none; }
  [data-part="timeline"]:not([data-pointed="part"]) > [data-part="pointed"] > [data-part="track"]::after { display: none; }
  [data-part="pointed"] > [data-part="track"]::after {
    content: "";
    position: absolute;
    inset-block: 1.375rem 0;
    inset-inline-start: calc(var(--from) * 100%);
    inline-size: calc((var(--to) - var(--from)) * 100%);
    background: color-mix(in srgb, var(--accent) 18%, transparent);
  }
  [data-part="pointed"] > [data-part="track"] { overflow: visible; }
  [data-part="moment"] {
    position: absolute;
    inset-block-start: 0;
    inset-inline-start: calc(var(--at) * 100%);
    padding-inline: 0.25rem;
    background: var(--ink-2);
    color: var(--surface);
    font-size: 0.6875rem;
    line-height: 1.375rem;
    white-space: nowrap;
  }
  [data-part="moment"]::before {
    content: "";
    position: absolute;
    inset-block: 0 -100vh;
    inset-inline-start: 0;
    border-inline-start: 1px solid var(--ink-2);
  }
  [data-part="line"] { inline-size: 2px; margin-inline-start: -1px; background: var(--bad); }

  [data-part="bar"] {
    --tone: var(--accent);
    inset-block: 0.4375rem;
    min-inline-size: 2px;
    border-radius: 2px;
    background: var(--tone);
  }
  :is([data-end="failed"], [data-end="timed_out"], [data-end="error"]) [data-part="bar"] { --tone: var(--bad); }
  :is([data-end="cancelled"], [data-end="interrupted"], [data-end="denied"]) [data-part="bar"] { --tone: var(--warn); }
  [data-kind="run"] [data-part="bar"] { inset-block: 0.6875rem; --tone: var(--ink-3); }
  [data-kind="answer"] [data-part="bar"][data-phase="streaming"], [data-part="legend"] [data-phase="streaming"] { --tone: color-mix(in srgb, var(--ink) 60%, var(--surface)); }
  [data-part="bar"][data-phase="asking"] { background: repeating-linear-gradient(135deg, var(--ink-3) 0 1px, transparent 1px 5px), var(--sunken); }
  [data-part="bar"][data-phase="input"] { background: repeating-linear-gradient(90deg, var(--tone) 0 2px, transparent 2px 5px); opacity: 0.7; }
  [data-part="bar"][data-phase="waiting"] { background: none; border: 1px solid var(--line-strong); }
  [data-part="bar"]:is([data-phase="approval"], [data-phase="answer"]) { background: none; border: 1px dashed var(--warn); }
  [data-part="bar"][data-phase="starting"] { background: radial-gradient(circle at center, var(--tone) 1px, transparent 1.5px) 0 center / 4px 4px; }
  [data-part="bar"][data-phase="cancelling"] { background: repeating-linear-gradient(135deg, var(--warn) 0 3px, transparent 3px 6px); }
  [data-part="bar"][data-phase="pausing"] { background: linear-gradient(var(--line-strong), var(--line-strong)) center / 100% 1px no-repeat; }

  [data-part="mark"] {
    z-index: 1;
    inset-block-start: calc(50% - 0.25rem);
    inline-size: 0.5rem;
    block-size: 0.5rem;
    margin-inline-start: -0.25rem;
    border: 1px solid var(--surface);
    background: var(--accent);
    rotate: 45deg;
  }
  [data-mark]:is([data-mark="retry"], [data-mark="repair"], [data-mark="warning"], [data-mark="stop"]) { background: var(--warn); }
  [data-mark="error"] { inset-block: 0.1875rem; inline-size: 2px; block-size: auto; margin-inline-start: -1px; border: 0; background: var(--bad); rotate: none; }

  [data-part="legend"] { flex: none; display: flex; flex-wrap: wrap; gap: 0.25rem 0.875rem; padding: 0.5rem 0.75rem; border-block-start: 1px solid var(--line); color: var(--ink-3); font-size: 0.6875rem; }
  [data-part="legend"] li { display: flex; align-items: center; gap: 0.375rem; }
  [data-part="legend"] [data-part="bar"] { inline-size: 1.25rem; block-size: 0.625rem; }
  [data-part="facts"] { flex: none; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0.625rem 0.75rem; border-block-start: 1px solid var(--line); }
  [data-part="facts"] dt { color: var(--ink-3); font-size: 0.6875rem; }
  [data-part="facts"] dd { font-weight: 550; }
  [data-part="row-detail"] { flex: none; display: grid; gap: 0.25rem; padding: 0.625rem 0.75rem; border-block-start: 1px solid var(--line); overflow-wrap: anywhere; }
  [data-part="row-detail"] [data-part="buttons"] { padding-block-start: 0.25rem; }

  @container offthread-panel (min-width: 45rem) {
    [data-part="timeline"] { max-block-size: max(11rem, 100% - 7rem); }
    [data-part="facts"] > div { display: flex; align-items: baseline; gap: 0.375rem; }
  }
  @container offthread-panel (max-width: 25rem) {
    :is([data-part="axis"], [data-part="load"], [data-part="cell"], [data-part="playhead"], [data-part="pointed"]) { grid-template-columns: 6rem minmax(0, 1fr) 3.5rem; }
    [data-part="load"] { display: none; }
    [data-part="timeline"] { max-block-size: max(10rem, 100% - 7rem); }
    [data-part="facts"] { padding-block: 0.5rem; }
  }`
