import { serveMcp } from '../../packages/core/src/mcp.ts'

// The page names the worker after the address.
serveMcp(self.name)
