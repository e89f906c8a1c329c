export default { transform: {}, testMatch: ['**/*.test.js'] }
