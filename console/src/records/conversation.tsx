import { answeredIn, askedIn } from '../calls/messages.ts'
import { Said } from '../calls/said.tsx'
import { Panel } from '../ui/page.tsx'

export interface ConversationProps {
  readonly request: unknown
  readonly answer: unknown
}

/** What was said in a call, as a conversation; nothing for one that is none. */
export const Conversation = ({ request, answer }: ConversationProps) => {
  const asked = askedIn(request)
  const answered = answeredIn(answer)
  if (asked.length === 0 && answered.length === 0) return null
  return (
    <Panel title="Conversation">
      <div className="grid gap-2">
        {asked.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation does not change
          <Said key={index} message={message} {...(message.role === 'user' ? { name: 'User' } : {})} />
        ))}
        {answered.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation does not change
          <Said key={`answer ${index}`} message={message} />
        ))}
      </div>
    </Panel>
  )
}
