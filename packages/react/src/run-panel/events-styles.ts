/** The look of the events, inside of the panel's. */
export const eventsStyles = `
  [data-part="event-list"] { flex: 1 1 0; display: flex; flex-direction: column; position: relative; min-block-size: 8rem; border-block-start: 1px solid var(--line); }
  [data-part="events"] { flex: 1 1 0; min-block-size: 0; overflow: hidden auto; scrollbar-width: thin; scrollbar-gutter: stable; }
  :is([data-part="event"], [data-part="columns"]) {
    display: grid;
    grid-template-columns: 2rem 3.25rem minmax(5rem, 8.75rem) minmax(0, 1fr);
    align-items: center;
    gap: 0.5rem;
    padding-inline: 0.75rem;
    font-size: 0.75rem;
    cursor: default;
  }
  [data-part="columns"] { flex: none; overflow: hidden; scrollbar-width: thin; scrollbar-gutter: stable; block-size: 1.375rem; border-block-end: 1px solid var(--line); color: var(--ink-3); }
  [data-part="columns"] > span { font: inherit; font-size: 0.6875rem; }
  :is([data-part="event"], [data-part="columns"]) > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  :is([data-part="position"], [data-part="at"], [data-part="since"], [data-part="bytes"]) { color: var(--ink-3); text-align: end; }
  :is([data-part="since"], [data-part="bytes"]) { display: none; }
  [data-level="error"] :is([data-part="type"], [data-part="summary"]) { color: var(--bad); }
  [data-level="warn"] :is([data-part="type"], [data-part="summary"]) { color: var(--warn); }
  [data-part="count"] { color: var(--ink-3); }
  [aria-pressed="true"] > [data-part="count"] { color: inherit; }
  [data-part="newest"] {
    position: absolute;
    inset-block-end: 0.5rem;
    inset-inline: 0;
    inline-size: max-content;
    min-block-size: 1.625rem;
    margin-inline: auto;
    padding-inline: 0.75rem;
    border-radius: 1rem;
    background: var(--accent);
    color: var(--surface);
    font-size: 0.75rem;
    font-weight: 500;
  }
  [data-part="newest"]:focus-visible { outline-offset: 2px; }
  [data-part="type"], [data-part="summary"] { font-family: var(--mono); font-size: 0.6875rem; }
  [data-part="summary"] { color: var(--ink-2); }
  [data-part="event-detail"] { flex: 1 1 0; min-block-size: 8rem; overflow: auto; padding: 0.625rem 0.75rem 1rem; border-block-start: 1px solid var(--line); }
  [data-part="detail"] { display: grid; gap: 0.375rem; padding-block-start: 0.5rem; overflow-wrap: anywhere; }
  [data-part="detail"] h3 { font-weight: 600; }
  [data-part="detail"] small { color: var(--ink-3); font-size: 0.75rem; font-weight: 400; }
  [data-part="detail"] h4 { display: flex; align-items: center; justify-content: space-between; padding-block-start: 0.375rem; color: var(--ink-3); font-size: 0.6875rem; }
  [data-part="button"][data-state="copied"]::after { content: " ✓" / " copied"; }
  [data-part="button"][data-state="failed"]::after { content: " ✕" / " failed"; }
  pre, code, del, ins { direction: ltr; unicode-bidi: isolate; font-family: var(--mono); font-size: 0.6875rem; line-height: 1.5; }
  pre { white-space: pre-wrap; }
  [data-part="changes"] { display: grid; gap: 0.125rem; }
  del { color: var(--bad); }
  ins { color: var(--good); text-decoration: none; }

  @container offthread-panel (min-width: 38rem) {
    :is([data-part="since"], [data-part="bytes"]) { display: block; }
    :is([data-part="event"], [data-part="columns"]) { grid-template-columns: 2.5rem 3.5rem 4rem 9.5rem minmax(0, 1fr) 3.5rem; }
  }
  @container offthread-panel (25rem < width < 38rem) {
    [data-part="toolbar"] > [data-part="search"] { flex-basis: 100%; }
  }
  @container offthread-panel (max-width: 25rem) {
    :is([data-part="event"], [data-part="columns"]) { grid-template-columns: 2rem minmax(5rem, 8.5rem) minmax(0, 1fr); }
    [data-part="at"] { display: none; }
  }`
