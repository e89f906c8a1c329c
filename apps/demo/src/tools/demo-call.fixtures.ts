/** The fields of a running call. */
export const demoCall = {
  toolCallId: 'c1',
  label: 'Other',
  messageId: 'm1',
  status: 'running',
  hasEnded: false,
  hasValidArgs: false,
  argsText: '',
  attempt: 1,
  logs: { lines: [], dropped: 0 },
  isError: false,
  truncatedForModel: false,
  times: {},
} as const
