import { ModelError } from '../port.ts'
import type { Target } from './target.ts'

/**
 * The same response, unless it leads elsewhere: then a `ModelError` of kind `protocol`. A redirect would carry
 * conversation and key where nobody sent them, so requests are sent with `redirect: 'manual'`, and none is followed.
 */
export function rejectRedirect(response: Response, { host }: Target): Response {
  const { type, status } = response
  if (type !== 'opaqueredirect' && (status < 300 || status >= 400 || status === 304))
    return response
  throw new ModelError({
    kind: 'protocol',
    message: `${host} leads this page elsewhere (a redirect), which is not followed. Give the address that it leads to, and check whether a login page is in between.`,
    retryable: false,
  })
}
