export default { transform: {}, testMatch: ['**/*.jest.js'] }
