import type { JsonObject } from '../internal/json.ts'

/** What a person says about a call that waits to be allowed. `argsDigest` names the arguments that were shown. */
export type ApprovalResponse =
  | { readonly decision: 'approve'; readonly argsDigest: string }
  | { readonly decision: 'deny'; readonly argsDigest: string; readonly reason?: string | undefined }
  | { readonly decision: 'edit'; readonly argsDigest: string; readonly args: JsonObject }
