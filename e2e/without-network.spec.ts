import { expect, openChat, test } from './chat.ts'

test.use({ serviceWorkers: 'allow' })

test('[UI24] after the first visit the page opens without a network, and answers a table with its tools', async ({
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
  await chat.ask('Plot the number of time zones by area')
  const end = await chat.ended()

  expect(end).toMatchObject({ reason: 'stop' })
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.cards('plot')).toHaveAttribute('data-status', 'succeeded')
  await chat.ask('/run_js {"code":"6 * 7"}\n/search_docs {"query":"reload"}')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.cards('run_js')).toContainText('42')
  await expect(chat.cards('search_docs')).toContainText('5 places')
  expect(refused).toEqual([])
})
