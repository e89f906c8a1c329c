/** Where the devtools are, and the button that opens them. */
export const devtoolsStyles: string = `
:host {
  all: initial;
  color-scheme: light dark;
}
.toggle {
  position: fixed;
  z-index: 2147483646;
  inset-block-end: 1rem;
  inset-inline-end: 1rem;
  display: grid;
  place-items: center;
  inline-size: 2.5rem;
  block-size: 2.5rem;
  border: 1px solid light-dark(#e2e2dd, #2d3035);
  border-radius: 50%;
  background: light-dark(#ffffff, #191b1e);
  color: light-dark(#2348cc, #93a9ff);
  box-shadow: 0 0.25rem 1rem light-dark(rgb(20 22 30 / 12%), rgb(0 0 0 / 45%));
  cursor: pointer;
}
.toggle svg { inline-size: 1.5rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; }
.dock {
  position: fixed;
  z-index: 2147483646;
  inset-inline: 0;
  inset-block-end: 0;
  block-size: min(26rem, 60vh);
  border-block-start: 1px solid light-dark(#c9c9c3, #3c4047);
  box-shadow: 0 -0.25rem 1.5rem light-dark(rgb(20 22 30 / 10%), rgb(0 0 0 / 45%));
}
.close {
  position: absolute;
  z-index: 1;
  inset-block-start: 0.25rem;
  inset-inline-end: 0.5rem;
  inline-size: 2rem;
  block-size: 2rem;
  border: 0;
  border-radius: 0.375rem;
  background: none;
  color: light-dark(#515359, #b5b7bc);
  font: 1.25rem / 1 system-ui, sans-serif;
  cursor: pointer;
}
:is(.toggle, .close):focus-visible { outline: 2px solid light-dark(#2348cc, #93a9ff); outline-offset: 2px; }
`
