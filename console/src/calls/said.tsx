import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { count } from '../ui/format.ts'
import { imagesOf, type Message, wordsOf } from './messages.ts'
import { Picture } from './picture.tsx'

const NAMES: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  developer: 'Developer',
  user: 'You',
  assistant: 'Answer',
  tool: 'Result of a tool',
}

/** One message, as somebody said it. */
export const Said = ({ message, name }: { readonly message: Message; readonly name?: string }) => (
  <div
    className={`grid gap-1 rounded-md border p-3 ${message.role === 'user' ? 'border-transparent bg-raised' : 'border-line'}`}
  >
    <p className="text-xs text-soft">{name ?? NAMES[message.role]}</p>
    <LongText text={wordsOf(message)} />
    {imagesOf(message).map((url, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be there twice
      <Picture key={index} url={url} alt="Part of the message" />
    ))}
    {message.tool_calls?.map((call, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: ids are what a provider says
      <div key={index} className="rounded bg-raised p-2 font-mono text-xs [overflow-wrap:anywhere]">
        <span className="text-soft">calls </span>
        {call.function.name}
        <span className="text-soft"> with </span>
        {call.function.arguments}
      </div>
    ))}
  </div>
)

/** More than anybody reads at once, and as much as a page shows without a pause. */
const MOST_SHOWN = 20_000

/** A text that may be very long: its beginning, and all of it for whoever asks. */
const LongText = ({ text }: { readonly text: string }) => {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, MOST_SHOWN)
  if (text === '') return null
  return (
    <>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{shown}</p>
      {shown.length < text.length && (
        <div>
          <Button onClick={() => setWhole(true)}>All {count(text.length)} characters</Button>
        </div>
      )}
    </>
  )
}
