import { useSessions } from '@offthread/react/sessions'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Kept } from '../agent.ts'
import { jsx, jsxs } from '../jsx/jsx-runtime.ts'
import { useSession } from '../session.ts'
import { mostOfLine } from '../text/fits-field.ts'
import { inPlace } from '../ui/in-place.ts'
import { KeyNames } from './key-names.tsx'
import { type Command, commandsOf, openChat } from './page-commands.tsx'
import type { PageParts } from './page-parts.ts'

interface CommandsProps {
  readonly page: PageParts
  /** Closes the list, and then runs the command. */
  readonly onRun: (command: Command) => void
}

/** What the page can do, and the chats that it can show. */
export function Commands({ page, onRun }: CommandsProps): ReactNode {
  const { kept } = useSession()
  const commands = commandsOf(page)
  return kept ? (
    <CommandsAndChats kept={kept} commands={commands} onRun={onRun} />
  ) : (
    <CommandList commands={commands} onRun={onRun} />
  )
}

interface CommandListProps extends Pick<CommandsProps, 'onRun'> {
  readonly commands: readonly Command[]
}

function CommandsAndChats({
  kept: { storage, sessionId: own },
  commands,
  onRun,
}: CommandListProps & { readonly kept: Kept }): ReactNode {
  const { sessions } = useSessions(storage)
  const chats = sessions
    .filter(({ sessionId, title }) => title !== '' && sessionId !== own)
    .map(({ sessionId, title }) => ({ name: `Chat: ${title}`, run: () => openChat(sessionId) }))
  return <CommandList commands={[...commands, ...chats]} onRun={onRun} />
}

const mostShown = 50

/** A field and what fits it. The focus stays in the field; ↑ and ↓ choose, Enter runs. */
function CommandList({ commands, onRun }: CommandListProps): ReactNode {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const shown = found(commands, query).slice(0, mostShown)
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = event.key === 'Enter' ? shown[active] : undefined
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!command && by === undefined) return
    event.preventDefault()
    if (command) onRun(command)
    else setActive((active + (by ?? 0) + shown.length) % Math.max(1, shown.length))
  }
  return (
    <div className="commands">
      <input
        ref={takeFocus}
        className="commands-field"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        maxLength={mostOfLine}
        placeholder="Type a command, or the name of a chat"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {jsx('ul', {
        ...{ id, role: 'listbox', 'aria-label': 'Commands', className: 'commands-list' },
        children: inPlace(shown, (command, index) => (
          <Option
            id={`${id}-${index}`}
            command={command}
            isActive={index === active}
            onPoint={() => setActive(index)}
            onRun={() => onRun(command)}
          />
        )),
      })}
      <p className="commands-none" role="status">
        {shown.length === 0 && 'No command has these words.'}
      </p>
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

function Option({ id, command, isActive, onPoint, onRun }: OptionProps): ReactNode {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return jsxs('li', {
    ...{ id, ref: row, role: 'option', 'aria-selected': isActive, className: 'row command' },
    // Not `onPointerEnter`: an item that appears under a resting pointer is not chosen.
    ...{ onPointerMove: onPoint, onClick: onRun },
    children: [
      <span key="name" className="cut command-name">
        {command.name}
      </span>,
      command.keys && <KeyNames key="keys" keys={command.keys} />,
    ],
  })
}

/** Sets `autofocus`, to which a dialog gives the focus when it opens. React does not write that attribute. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.setAttribute('autofocus', '')
  field?.focus()
}

/** The commands that have all words of the query, those first whose name begins with it. */
function found(commands: readonly Command[], query: string): readonly Command[] {
  const asked = query.trim().toLowerCase()
  const words = asked.split(/\s+/)
  const fitting = commands.filter(({ name, also = '' }) => {
    const text = `${name} ${also}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const beginsWithIt = ({ name }: Command) => name.toLowerCase().startsWith(asked)
  return [...fitting.filter(beginsWithIt), ...fitting.filter((one) => !beginsWithIt(one))]
}
