import { runScenario } from './scenario.js'

/** The scenario, for a page of `examples/frameworks`: it shows all messages, and how the last call stands. */
export function offerScenario(agent) {
  globalThis.runScenario = async () => {
    const report = await runScenario(agent)
    // The last snapshot may not be drawn yet.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const articles = [...document.querySelectorAll('article')]
    const isShown =
      articles.length === agent.getState().messages.length &&
      articles[1].textContent.includes('sum_below: succeeded') &&
      articles.at(-1).textContent.includes('loop_forever: cancelled')
    const errors = isShown ? [] : [`The page shows: ${document.body.textContent}`]
    return { ...report, errors: [...report.errors, ...errors] }
  }
}
