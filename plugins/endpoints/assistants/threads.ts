import { type Endpoint, t } from '#kit'
import { deleted, keptObject, listOf, Metadata, shown } from '../kept-objects.ts'
import { RETIRED } from './retired.ts'

const PATH = '/threads/:thread_id'
const MESSAGE = `${PATH}/messages/:message_id`

const Message = t.Object({
  role: t.String(),
  content: t.Union([t.String(), t.Array(t.Object({ type: t.String() }))]),
  attachments: t.Optional(t.Array(t.Object({}))),
  metadata: t.Optional(Metadata),
})

/** What a thread begins with. */
export const NewThread = t.Object({
  messages: t.Optional(t.Array(Message)),
  tool_resources: t.Optional(t.Object({})),
  metadata: t.Optional(Metadata),
})

const OnlyMetadata = t.Object({ metadata: t.Optional(Metadata) })

export const threads: readonly Endpoint[] = [
  keptObject({
    id: 'thread-create',
    at: 'POST /threads',
    operationId: 'createThread',
    summary: 'Begin a thread.',
    sent: NewThread,
    answered: shown('thread'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-retrieve',
    at: `GET ${PATH}`,
    operationId: 'getThread',
    summary: 'Show a thread.',
    answered: shown('thread'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-modify',
    at: `POST ${PATH}`,
    operationId: 'modifyThread',
    summary: 'Change a thread.',
    sent: t.Object({ tool_resources: t.Optional(t.Object({})), metadata: t.Optional(Metadata) }),
    answered: shown('thread'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-delete',
    at: `DELETE ${PATH}`,
    operationId: 'deleteThread',
    summary: 'Delete a thread.',
    answered: deleted('thread.deleted'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-message-list',
    at: `GET ${PATH}/messages`,
    operationId: 'listThreadMessages',
    summary: 'List the messages of a thread.',
    answered: listOf('thread.message'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-message-create',
    at: `POST ${PATH}/messages`,
    operationId: 'createThreadMessage',
    summary: 'Add a message to a thread.',
    sent: Message,
    answered: shown('thread.message'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-message-retrieve',
    at: `GET ${MESSAGE}`,
    operationId: 'getThreadMessage',
    summary: 'Show a message of a thread.',
    answered: shown('thread.message'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-message-modify',
    at: `POST ${MESSAGE}`,
    operationId: 'modifyThreadMessage',
    summary: 'Change a message of a thread.',
    sent: OnlyMetadata,
    answered: shown('thread.message'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'thread-message-delete',
    at: `DELETE ${MESSAGE}`,
    operationId: 'deleteThreadMessage',
    summary: 'Delete a message of a thread.',
    answered: deleted('thread.message.deleted'),
    deprecated: RETIRED,
  }),
]
