import type { Agent, Artifact, ToolCallView } from '@offthread/core'
import { Fragment, type ReactNode, useState } from 'react'
import { DownloadButton, LongText, PlainText } from '../text/long-text.tsx'
import { prettyJson } from '../text/pretty-json.ts'
import { formatBytes } from '../text/quantity.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import { useSome } from '../ui/use-some.tsx'
import { formatDuration } from './elapsed.tsx'
import { endingText } from './ending-text.ts'
import { FailedAttemptTexts } from './failed-attempts.tsx'
import { LogTail } from './log-tail.tsx'
import { PlainResult } from './plain-result.tsx'
import { progressWords } from './progress-words.ts'
import { stackText } from './stack-text.ts'
import { StatusMark } from './status-mark.tsx'
import { TimeLeft } from './time-left.tsx'

const readNote = 'What the model read'

interface OfCall {
  readonly call: ToolCallView
}

interface OutcomeProps extends OfCall {
  readonly agent: Agent
  readonly result?: ReactNode
  readonly help?: ReactNode
}

/** The result or the error of a call, or its progress. */
export function CallOutcome({ agent, call, help, ...shown }: OutcomeProps): ReactNode {
  const { progress, partial, result, hasEnded, isError } = call
  const ending = endingText(call)
  const failed = call.status === 'failed' || call.status === 'timed_out'
  const progressText = progress && !hasEnded ? progressWords(progress) : ''
  return (
    <>
      {isError && result && (
        <Detail {...(failed ? { title: 'Error', note: readNote } : { title: readNote })}>
          <LongText
            className={failed ? 'error-text' : 'read-text'}
            text={textOfParts(result.content)}
            name={call.toolName}
          />
          <Stack call={call} />
        </Detail>
      )}
      {help}
      {ending && <p className="small detail-ending">{ending}</p>}
      {progressText && (
        <Detail title="Progress">
          <p className="small detail-text">
            {progressText}
            <TimeLeft call={call} />
          </p>
        </Detail>
      )}
      {partial && (!hasEnded || isError) && (
        <Detail title="So far" {...(hasEnded && { note: 'Until it was stopped' })}>
          <PlainText
            className="small detail-text"
            text={textOfParts(partial.content)}
            name={call.toolName}
          />
        </Detail>
      )}
      {result && !isError && (
        <Detail
          title="Result"
          {...(call.truncatedForModel && { note: 'The model read a shortened form' })}
        >
          {shown.result ?? <PlainResult result={result} name={call.toolName} />}
        </Detail>
      )}
      {result?.artifacts && result.artifacts.length > 0 && (
        <Detail title="Files">
          <ArtifactList agent={agent} artifacts={result.artifacts} />
        </Detail>
      )}
    </>
  )
}

/** For the authors of the tool; the model does not read it. */
function Stack({ call: { result, toolName } }: OfCall): ReactNode {
  const text = result && stackText(result)
  const [isOpen, setOpen] = useState(false)
  if (text === undefined) return null
  return (
    <details className="stack" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="soft">Stack</summary>
      {isOpen && <LongText text={text} name={`${toolName}-stack`} />}
    </details>
  )
}

interface ArtifactListProps {
  readonly agent: Agent
  readonly artifacts: readonly Artifact[]
}

/** The files that a tool returned beside its result. */
function ArtifactList({ agent, artifacts }: ArtifactListProps): ReactNode {
  const { some, more } = useSome(artifacts, 'file')
  return (
    <>
      <ul className="column artifact-list">
        {some.map(({ artifactId, name, bytes }) => (
          <li key={artifactId}>
            <span className="artifact-name">{name}</span>
            <span className="quiet">{formatBytes(bytes)}</span>
            <DownloadButton name={name} open={() => agent.getArtifact(artifactId)} />
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

interface RecordProps extends OfCall {
  readonly agent: Agent
  readonly input?: string | undefined
}

/** The log, the input and the timing of a call, and its earlier attempts. */
export function CallRecord({ agent, call, input = inputText(call) }: RecordProps): ReactNode {
  const { logs } = call
  return (
    <>
      {logs.lines.length > 0 && (
        <Detail title="Log">
          <LogTail logs={logs} />
        </Detail>
      )}
      <Detail title="Input">
        <LongText text={input} name={`${call.toolName}-input`} />
      </Detail>
      <Timing call={call} />
      {call.earlier?.map((attempt, index) => (
        <Fragment key={attempt.times.acceptedAt}>
          <FailedAttemptTexts call={attempt} />
          <Detail title={`Attempt ${Math.max(attempt.attempt, index + 1)}`}>
            <StatusMark status={attempt.status} />
            <CallOutcome agent={agent} call={attempt} />
          </Detail>
        </Fragment>
      ))}
      <FailedAttemptTexts call={call} />
    </>
  )
}

/**
 * `Attempt 3 of 3`: which attempt a card shows, if it is not the first. Attempts that the agent made by itself count,
 * too.
 */
export function attemptText({ attempt, earlier = [] }: ToolCallView): string | undefined {
  const before = Math.max(earlier.length, earlier.at(-1)?.attempt ?? 0)
  const last = earlier.length > 0 ? Math.max(attempt, before + 1) : attempt
  return last > 1 ? `Attempt ${last} of ${last}` : undefined
}

/** The input, exactly as the tool got it. */
function inputText({ args, argsText }: ToolCallView): string {
  return args === undefined || typeof args === 'string'
    ? argsText
    : prettyJson(args, argsText.length)
}

interface DetailProps {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
}

function Detail({ title, note, children }: DetailProps): ReactNode {
  return (
    <div className="column detail" data-detail={title.toLowerCase()}>
      <h4 className="soft detail-title">
        {title}
        {note && <span className="detail-note">{note}</span>}
      </h4>
      {children}
    </div>
  )
}

function Timing({ call }: OfCall): ReactNode {
  const { timing } = call
  // A page that was closed during the call has written no timing.
  if (!timing || call.status === 'interrupted') return null
  const facts = [
    ['In line', formatDuration(timing.queuedMs)],
    [call.place === 'page' ? 'Prepared' : 'Worker start-up', formatDuration(timing.startMs)],
    ['Run', formatDuration(timing.runMs)],
    ['Place', call.place === 'page' ? 'this page' : 'own worker'],
  ] as const
  return (
    <dl className="quiet detail-timing" aria-label="Timing">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
