export default {
  headers: async () => [
    {
      source: '/:path*',
      headers: [{ key: 'content-security-policy', value: process.env.CSP }],
    },
  ],
}
