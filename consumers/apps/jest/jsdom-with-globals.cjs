const { TestEnvironment } = require('jest-environment-jsdom')

/** Jest's jsdom hides these two of Node's globals, which pages have. */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup()
    Object.assign(this.global, { structuredClone, TextEncoder })
  }
}
