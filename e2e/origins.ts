const port = Number(process.env['E2E_PORT'] ?? 4317)

/** Where the built demo page is served. */
export const demoPort = port
export const demoOrigin = `http://127.0.0.1:${demoPort}`

/** Where the page with faulty tools is served. */
export const faultsPort = port + 100
export const faultsOrigin = `http://127.0.0.1:${faultsPort}`
