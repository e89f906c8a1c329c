import { Outlet, Scripts } from 'react-router'

// biome-ignore lint/style/noDefaultExport: React Router asks for one.
export default function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Consumer</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}

export function headers() {
  return { 'content-security-policy': process.env.CSP ?? '' }
}
