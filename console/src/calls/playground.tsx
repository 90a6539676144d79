import { useState } from 'react'
import { type Failure, toFailure } from '../api/failure.ts'
import { Button } from '../ui/button.tsx'
import { AreaField } from '../ui/field.tsx'
import { ColumnView } from './column-view.tsx'
import { ExtrasFields, parametersOf } from './extras.tsx'
import { ImagesField } from './images-field.tsx'
import type { Message } from './messages.ts'
import { useOwnKey } from './own-key.ts'
import type { Beginning } from './replay.ts'
import { SavePrompt } from './save-prompt.tsx'
import { type Asking, newColumn, useColumns } from './use-columns.ts'

const MOST = 4

const toQuestion = (text: string, images: readonly string[]): Message => ({
  role: 'user',
  content:
    images.length === 0
      ? text
      : [{ type: 'text', text }, ...images.map((url) => ({ type: 'image_url', image_url: { url } }) as const)],
})

/** A conversation with one model or several. @param beginning what is there at first */
export const Playground = ({ beginning }: { readonly beginning: Beginning }) => {
  const key = useOwnKey()
  const { columns, isRunning, aim, add, remove, ask, tell, stop, clear } = useColumns(
    newColumn(1, beginning.target, beginning.messages),
  )
  const [text, setText] = useState(beginning.text)
  const [images, setImages] = useState(beginning.images)
  const [extras, setExtras] = useState(beginning.extras)
  const [failure, setFailure] = useState<Failure>()
  const errorOf = (param: string): string | undefined => (failure?.param === param ? failure.message : undefined)

  /** Undefined where what was typed cannot be sent: the field says why. */
  const toAsking = (): Asking | undefined => {
    try {
      setFailure(undefined)
      return key === undefined ? undefined : { key, system: extras.system, parameters: parametersOf(extras) }
    } catch (thrown) {
      setFailure(toFailure(thrown))
      return undefined
    }
  }
  const isEmpty = text.trim() === '' && images.length === 0
  const send = (): void => {
    if (isEmpty || isRunning) return
    const asking = toAsking()
    if (asking === undefined) return
    void ask(toQuestion(text, images), asking)
    setText('')
    setImages([])
  }
  const [first] = columns
  const conversation: readonly Message[] = [
    ...(extras.system === '' ? [] : [{ role: 'system' as const, content: extras.system }]),
    ...(first?.messages ?? []),
    ...(isEmpty ? [] : [toQuestion(text, images)]),
  ]
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button disabled={columns.length >= MOST} onClick={add}>
          Beside another
        </Button>
        <Button onClick={clear}>Begin anew</Button>
        {first !== undefined && (
          <SavePrompt target={first.target} messages={conversation} parameters={() => parametersOf(extras)} />
        )}
      </div>
      <div className={`grid gap-4 ${columns.length > 1 ? 'md:grid-cols-2' : ''}`}>
        {columns.map((column, index) => (
          <ColumnView
            key={column.id}
            column={column}
            title={`Model ${index + 1}`}
            onAim={(target) => aim(column.id, target)}
            {...(columns.length > 1 ? { onRemove: () => remove(column.id) } : {})}
            onTell={
              key === undefined || isRunning
                ? undefined
                : (results) => {
                    const asking = toAsking()
                    if (asking !== undefined) void tell(column.id, results, asking)
                  }
            }
          />
        ))}
      </div>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <ExtrasFields value={extras} onChange={setExtras} errorOf={errorOf} />
        <AreaField
          label="Question"
          hint="Ctrl and Enter send it."
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          }}
        />
        <ImagesField value={images} onChange={setImages} />
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={key === undefined || isRunning || isEmpty}>
            Send
          </Button>
          {isRunning && <Button onClick={stop}>Stop</Button>}
        </div>
      </form>
    </>
  )
}
