interface PolicyWatch {
  /** Whether the page's policy has refused a worker since this watch began. */
  readonly forbids: () => boolean
  readonly unwatch: () => void
}

/** Watches the document's events until `unwatch` is called. */
export function watchPolicy(): PolicyWatch {
  if (typeof document === 'undefined') return { forbids: () => false, unwatch: () => {} }
  let isForbidden = false
  const receive = ({ disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && effectiveDirective === 'worker-src') isForbidden = true
  }
  document.addEventListener('securitypolicyviolation', receive)
  return {
    forbids: () => isForbidden,
    unwatch: () => {
      isForbidden = false
      document.removeEventListener('securitypolicyviolation', receive)
    },
  }
}
