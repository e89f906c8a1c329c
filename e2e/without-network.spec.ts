import { type Chat, expect, openChat, test } from './chat.ts'

test.use({ serviceWorkers: 'allow' })

test('[UI24] after the first visit the page opens without a network, and all its tools work', async ({
  page,
  context,
}) => {
  await page.goto('/?dev&delay=0')
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { serviceWorker } = navigator
        if (serviceWorker.controller) return resolve()
        serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
      }),
  )
  await context.setOffline(true)
  const refused: string[] = []
  page.on('requestfailed', (request) => refused.push(request.url()))

  const chat = await openChat(page, '/?dev&delay=0')
  await chat.ask(
    'How many time zones are there, and which five countries have the most time zones?',
  )
  await chat.ended()
  await chat.ask('Plot the number of time zones by area')
  const end = await chat.ended()

  expect(end).toMatchObject({ reason: 'stop' })
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.cards('plot')).toHaveAttribute('data-status', 'succeeded')
  await chat.ask('/run_js {"code":"6 * 7"}\n/search_docs {"query":"reload"}')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.cards('run_js')).toContainText('42')
  await expect(chat.cards('search_docs')).toContainText('5 places')
  await chat.drop('pixel.gif', pixel)
  await chat.ask(
    [
      '/sql_query {"sql":"SELECT COUNT(*) FROM time_zones"}',
      '/monte_carlo {"experiment":"dice","trials":1000}',
      '/hash_file {"file":"time_zones.csv"}',
      '/compress_file {"file":"time_zones.csv"}',
      '/edit_image {"file":"pixel.gif","width":8}',
      '/render_fractal {"column":0,"row":0,"columns":2,"rows":1}',
    ].join('\n'),
  )
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  const ends = await chat.events('tool_execution_end')
  expect(ends.filter(({ isError }) => isError)).toEqual([])
  const ran = new Set(ends.map(({ toolName }) => toolName))
  expect([...ran].toSorted()).toEqual(await toolsOf(chat))
  expect(refused).toEqual([])
})

const pixel = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/** The tools that a user of the page has: what misbehaves under `?dev` is none of them. */
async function toolsOf({ ask, ended, events }: Chat): Promise<readonly string[]> {
  await ask('/nothing_like_it {}')
  await ended()
  const said = (await events('tools_end')).at(-1)?.toolMessages[0]?.content[0]
  const [, names = ''] =
    /Available: (.*)\. It did not/.exec(said?.type === 'text' ? said.text : '') ?? []
  return names
    .split(', ')
    .filter((name) => !name.startsWith('dev_'))
    .toSorted()
}
