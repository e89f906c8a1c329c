/**
 * Ends the page above a keyboard that covers it. Where the browser does not know `interactive-widget`, as Safari on phones,
 * the page stays as tall as it was, and only the visual viewport shrinks.
 */
export function fitAboveKeyboard(): void {
  const { visualViewport } = window
  if (!visualViewport) return
  const { style } = document.documentElement
  visualViewport.addEventListener('resize', () => {
    const { height, scale } = visualViewport
    // A person who zooms in sees a part of the page, too.
    if (scale === 1 && height < innerHeight - 1) {
      style.setProperty('--page-block', `${height}px`)
      // The browser has scrolled what was behind the keyboard into view.
      scrollTo(0, 0)
    } else style.removeProperty('--page-block')
  })
}
