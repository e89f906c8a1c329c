import * as Parts from '@offthread/react/composer'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { editLastQuestion } from '../commands/places.ts'
import { nameOfKey } from '../commands/shortcuts.ts'
import { readAttachedLine } from '../files/attached-line.ts'
import { mostFiles, type PendingFile } from '../files/attachments.ts'
import { useSession } from '../session.ts'
import { FileChip } from '../ui/file-chip.tsx'
import { useSome } from '../ui/use-some.tsx'
import { Composer } from './composer.tsx'
import { useAsk } from './use-ask.tsx'

/** The composer of the page: it sends files along with a message, and the sample table along with a starter. */
export function DemoComposer(): ReactNode {
  const { agent, attachments, tryAgain } = useSession()
  const files = useStore(attachments)
  const { ask, problem } = useAsk()
  const send = async (text: string, delivery: Parts.Delivery): Promise<boolean> => {
    const isSent = await ask(text, { files, delivery })
    if (isSent) attachments.clear()
    return isSent
  }
  return (
    <Composer
      agent={agent}
      placeholder="Ask about a table, or drop a file"
      hasMore={files.length > 0}
      onSend={send}
      onSendNow={tryAgain}
      onFiles={attachments.add}
      onArrowUp={editLastQuestion}
      hint={`, ${nameOfKey('Mod')} + K shows all commands`}
      wordsOf={(text) => readAttachedLine(text)?.name ?? text}
    >
      <PendingFiles files={files} />
      {problem}
    </Composer>
  )
}

function PendingFiles({ files }: { readonly files: readonly PendingFile[] }): ReactNode {
  const { attachments } = useSession()
  const { focus } = Parts.useComposer()
  const { some, more } = useSome(files, 'file')
  if (files.length === 0) return null
  return (
    <>
      <ul className="wrap file-chips" aria-label="Files to send">
        {some.map(({ name, file }) => (
          <FileChip
            key={name}
            name={name}
            bytes={file.size}
            onRemove={() => {
              attachments.remove(name)
              focus()
            }}
          />
        ))}
      </ul>
      {more}
      {files.length === mostFiles && (
        <p className="soft notice" role="status">
          One message takes no more than {mostFiles} files.
        </p>
      )}
    </>
  )
}
