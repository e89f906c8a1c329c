export const metadata = { icons: 'data:,' }

// biome-ignore lint/style/noDefaultExport: Next.js asks for one.
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
