import { called, fine, type Row } from './row.ts'

const cutOff = 'Error: Not run: the answer was cut off before this call was complete.'

/** Faults of what an answer says. */
export const contentRows: readonly Row[] = [
  {
    id: 'F8',
    what: 'two calls with one id',
    replies: 'F8,answer',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F8',
    what: 'an id of an earlier turn',
    replies: 'one-call,F8-again,answer',
    outcome: { ...called(['12:00 in Київ', '12:00 in Lima']), requests: 3 },
  },
  ...['empty', 'long', 'illegal'].map(
    (way): Row => ({
      id: 'F9',
      what: `ids that are ${way}`,
      replies: `F9-${way},answer`,
      outcome: called(['12:00 in Київ', '12:00 in Lima']),
    }),
  ),
  {
    id: 'F9',
    what: 'ids that are missing',
    replies: 'F9-missing,answer',
    only: 'openai',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F10',
    what: 'arguments that are no JSON',
    replies: 'F10-broken,answer',
    outcome: {
      ...called([
        'Error: Invalid arguments: they are not valid JSON. It did not run.',
        '12:00 in Lima',
      ]),
      ran: 1,
    },
  },
  {
    id: 'F10',
    what: 'arguments that are no object',
    replies: 'F10-array,answer',
    outcome: {
      ...called([
        'Error: Invalid arguments: they are not an object. It did not run.',
        '12:00 in Lima',
      ]),
      ran: 1,
    },
  },
  { id: 'F10', what: 'no arguments', replies: 'F10-empty,answer', outcome: called(['12:00']) },
  {
    id: 'F10',
    what: 'arguments that come in turns',
    replies: 'F10-interleaved,answer',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F10',
    what: 'calls that come whole',
    replies: 'F10-whole,answer',
    only: 'openai',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F11',
    what: 'calls that the limit cut off',
    replies: 'F11,answer',
    outcome: { ...called([cutOff, cutOff]), ran: 0 },
  },
  {
    id: 'F11',
    what: 'a text that the limit cut off',
    replies: 'F11-text',
    outcome: { ...fine, text: 'It is', warns: ['cut_off'] },
  },
  ...['F11-then-calls', 'F11-after-calls'].map(
    (reply): Row => ({
      id: 'F11',
      what: '[M10] a call that the limit cut off, with another reason beside it',
      replies: `${reply},answer`,
      outcome: { ...called([cutOff]), ran: 0 },
    }),
  ),
  {
    id: 'F11',
    what: '[M10] an answer that has ended on a connection that has not',
    replies: 'F11-open',
    only: 'openai',
    outcome: { ...fine, text: 'It is noon.' },
  },
  {
    id: 'F12',
    what: 'calls at the limit that are reported as whole',
    replies: 'F12,answer',
    outcome: { ...called([cutOff, cutOff]), ran: 0 },
  },
  {
    id: 'F12',
    what: 'calls that are reported as a natural end',
    replies: 'F11-reported-as-stop,answer',
    only: 'openai',
    outcome: called(['12:00 in Київ']),
  },
  {
    id: 'F13',
    what: 'a refusal with a call',
    replies: 'F13',
    outcome: { reason: 'refusal', kind: 'refusal', says: /\.$/, retries: 0 },
  },
  {
    id: 'F13',
    what: 'a refusal in words',
    replies: 'F13-text',
    only: 'openai',
    outcome: { reason: 'refusal', kind: 'refusal', says: /I would rather not\./, retries: 0 },
  },
  {
    id: 'F14',
    what: 'a pause',
    replies: 'F14-pause,answer',
    only: 'anthropic',
    outcome: { ...fine, requests: 2, reads: [] },
  },
  { id: 'F15', what: 'an unknown reason', replies: 'F15', outcome: { ...fine, text: 'Done.' } },
  {
    id: 'F15',
    what: 'an unknown reason with a call',
    replies: 'F15-call,answer',
    outcome: { ...called([cutOff]), ran: 0 },
  },
  {
    id: 'F16',
    what: 'an empty answer',
    replies: 'F16',
    outcome: { ...fine, text: '', warns: ['empty_answer'] },
  },
  {
    id: 'F17',
    what: 'a call of a tool that was not offered',
    replies: 'F17,answer',
    outcome: {
      ...called(['Error: No tool named "teleport". Available: clock, now. It did not run.']),
      ran: 0,
    },
  },
]
