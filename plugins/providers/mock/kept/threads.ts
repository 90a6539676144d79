import { isRecord } from '#kit'
import { MockRefusal } from '../refusal.ts'
import type { Fields, Kept, KeptObjects } from './objects.ts'
import { page } from './page.ts'
import { given, type KeptRoute } from './route.ts'

const ONE = '/threads/:thread'
const MESSAGE = `${ONE}/messages/:message`

/** A thread with the messages that its body brings. */
export const makeThread = (objects: KeptObjects, body: Fields): Kept => {
  const { messages = [] } = body
  if (!Array.isArray(messages)) throw new MockRefusal(400, '`messages` must be a list.', 'messages')
  const thread = objects.make('threads', {
    metadata: {},
    tool_resources: {},
    ...given(body, ['metadata', 'tool_resources']),
  })
  for (const message of messages) addMessage(objects, thread, isRecord(message) ? message : {})
  return thread
}

/** `Message` of openai-node 7.55.0 (resources/beta/threads/messages.d.ts), read 2026-11-24. */
export const addMessage = (objects: KeptObjects, thread: Kept, body: Fields): Kept => {
  const { role, content } = body
  if (role !== 'user' && role !== 'assistant') throw new MockRefusal(400, '`role` must be user or assistant.', 'role')
  return objects.make('messages', {
    thread_id: thread.id,
    role,
    status: 'completed',
    content: partsOf(content),
    assistant_id: null,
    run_id: null,
    attachments: [],
    metadata: {},
    completed_at: null,
    incomplete_at: null,
    incomplete_details: null,
    ...given(body, ['attachments', 'metadata', 'assistant_id', 'run_id']),
  })
}

const partsOf = (content: unknown): readonly unknown[] => {
  if (typeof content === 'string') return [textPart(content)]
  if (!Array.isArray(content) || content.length === 0)
    throw new MockRefusal(400, '`content` must be text, or a list of parts.', 'content')
  return content.map((part: unknown) =>
    isRecord(part) && part.type === 'text' && typeof part.text === 'string' ? textPart(part.text) : part,
  )
}

export const textPart = (value: string): object => ({ type: 'text', text: { value, annotations: [] } })

/** What is said in a message. */
export const textOf = ({ content }: Kept): string =>
  (Array.isArray(content) ? content : [])
    .flatMap((part: unknown) => (isRecord(part) && isRecord(part.text) ? [String(part.text.value)] : []))
    .join(' ')

export const threadRoutes: readonly KeptRoute[] = [
  ['POST /threads', ({ objects, body }) => makeThread(objects, body)],
  [`GET ${ONE}`, ({ objects, ids }) => objects.find('threads', ids.thread ?? '')],
  [
    `POST ${ONE}`,
    ({ objects, ids, body }) =>
      objects.change('threads', objects.find('threads', ids.thread ?? ''), given(body, ['metadata', 'tool_resources'])),
  ],
  [`DELETE ${ONE}`, ({ objects, ids }) => objects.remove('threads', objects.find('threads', ids.thread ?? ''))],
  [
    `GET ${ONE}/messages`,
    ({ objects, ids, query }) => {
      const { id } = objects.find('threads', ids.thread ?? '')
      const run = query.get('run_id')
      return page(objects.list('messages', { thread_id: id, ...(run === null ? {} : { run_id: run }) }), query)
    },
  ],
  [
    `POST ${ONE}/messages`,
    ({ objects, ids, body }) => addMessage(objects, objects.find('threads', ids.thread ?? ''), body),
  ],
  [`GET ${MESSAGE}`, ({ objects, ids }) => objects.find('messages', ids.message ?? '', { thread_id: ids.thread })],
  [
    `POST ${MESSAGE}`,
    ({ objects, ids, body }) =>
      objects.change(
        'messages',
        objects.find('messages', ids.message ?? '', { thread_id: ids.thread }),
        given(body, ['metadata']),
      ),
  ],
  [
    `DELETE ${MESSAGE}`,
    ({ objects, ids }) =>
      objects.remove('messages', objects.find('messages', ids.message ?? '', { thread_id: ids.thread })),
  ],
]
