import { type ReactNode, useState } from 'react'
import { KeyNames } from './key-names.tsx'
import { hasSingleKeys, setSingleKeys, shortcutGroups } from './shortcuts.ts'

/** All keys of the page. */
export function KeyMap(): ReactNode {
  const [isOn, setOn] = useState(hasSingleKeys)
  return (
    <div className="key-map">
      {shortcutGroups.map(({ where, keys }) => (
        <section key={where} aria-label={where}>
          <h3>{where}</h3>
          <dl>
            {keys.map((shortcut) => (
              <div key={shortcut.does} className="ends">
                <dt>{shortcut.does}</dt>
                <dd>
                  <KeyNames keys={shortcut.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="row">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setSingleKeys(target.checked)
            setOn(target.checked)
          }}
        />
        Single keys: ?, and C, R and Y on a tool call
      </label>
    </div>
  )
}
