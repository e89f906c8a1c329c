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
  expect(refused).toEqual([])
})
