import type { Static, TSchema } from '@sinclair/typebox'
import type { WholeForm } from '../http/respond.ts'
import type { Arrival } from '../http/trusted-proxies.ts'
import type { Scope } from '../store/scopes.ts'
import type { Db } from '../store/types.ts'
import type { Actor } from './actor.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What stands in front of management paths, behind the operator's prefix. An empty one only where a route says so. */
export type ManagementRoot = '/v1' | '/v2' | '/admin/v2' | ''

/** What a change did, for the audit log. Secrets must be masked before they come here. */
export interface AuditEntry {
  /** `api_keys.create`: the scope family and verb. */
  readonly action: string
  readonly objectKind: string
  readonly objectId: string
  /** Absent for a change of the organisation itself. */
  readonly workspaceId?: string
  /** The object before and after, as the interface shows it; absent for a creation or deletion. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  /** Who did it, where anybody may call: who that is shows in the call alone. */
  readonly actor?: Pick<Actor, 'kind' | 'id' | 'name' | 'organisationId'>
}

/** A management call, checked: its caller may do this kind of thing, its body and query fit their schemas. */
export interface ManagementCall<Body, Query> {
  readonly actor: Actor
  readonly params: Readonly<Record<string, string>>
  /** As it came; its body is read already. */
  readonly request: Pick<Request, 'url' | 'headers'>
  readonly from: Arrival
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  readonly query: Query
  readonly body: Body
  /** A transaction for a route that changes something: it commits when the handler returns, with the audit row. */
  readonly db: Db
  /**
   * Refines the scope check, where the scope depends on the object.
   * @throws ManagementForbidden
   */
  require(scope: Scope): void
  /** The one entry that a changing route owes, and one that `audits` may have. */
  audit(entry: AuditEntry): void
  /** What is to be done once the change is in the database, and not at all if it does not come there. Must not throw. */
  onCommit(work: () => void): void
}

/** Another way to ask for the object of a path, in which it is what a change may have been made from. */
export interface View {
  readonly params?: ManagementCall<unknown, unknown>['params']
  readonly query?: Readonly<Record<string, unknown>>
}

/** How refusals look, where that is not as those of all others. */
export interface RefusalForm extends WholeForm {
  /** Of that body, for the OpenAPI document. */
  readonly schema?: TSchema
}

export interface ManagementRoute<Body extends TSchema = TSchema, Query extends TSchema = TSchema> {
  readonly method: Method
  /** Below the roots; parameters as `:name`. */
  readonly path: string
  /** Where the same path below another root is that of a call to a provider; by default every root. */
  readonly roots?: readonly ManagementRoot[]
  /** Older paths of the same route, served just like it; with the same parameters. */
  readonly aliases?: readonly string[]
  readonly tag: string
  readonly summary: string
  /** Any one of these lets the call in. None: whoever is somebody may call it. */
  readonly scopes: readonly Scope[]
  /** True: people need none of the scopes for what is their own, which the handler sees to. */
  readonly isForOwn?: true | undefined
  /** `organisation`: keys of a workspace are refused, unless the scope is one that they have too. */
  readonly plane: 'organisation' | 'workspace'
  /** Anybody may call it, without a key: its `actor` must not be looked at. */
  readonly isPublic?: true
  /** Most bytes of its body; by default what a prompt needs. */
  readonly maxBodyBytes?: number
  /**
   * True for one that changes nothing, but shows what not everybody may see: its handler may hand in one audit entry, which is
   * kept before the answer goes out.
   */
  readonly audits?: true
  /** True for a route that writes: it runs in a transaction and owes an audit entry. */
  readonly changes: boolean
  readonly body?: Body
  /** True: a call without any body is one with an empty object. */
  readonly bodyOptional?: boolean
  readonly query?: Query
  /** It shows one object as a whole: its answer has a tag, which changes of the same path may name in `If-Match`. */
  readonly etag?: true | undefined
  /** How else that object is asked for, where a change may name the tag of that. */
  readonly views?: ((params: View['params'] & object) => readonly View[]) | undefined
  /** Absent: as those of all others. */
  readonly errors?: RefusalForm
  /** Status of an answer to a call that was done; 200 unless given. Its handler makes the response. */
  readonly status?: 201 | 204
  /** Body of that answer, for the OpenAPI document and the tests. */
  readonly response: TSchema
  /** Media type of that answer; by default JSON. */
  readonly responseType?: string
  /** Body of its 404, where that is not the one of all routes. */
  readonly missing?: TSchema
  /** @returns what is written as JSON or, where that is not what clients get, the response itself */
  handle(call: ManagementCall<Static<Body>, Static<Query>>): Promise<unknown>
}

/**
 * A route whose types have been used up: its handler is only ever called with what its own schemas have accepted.
 */
export type AnyRoute = Omit<ManagementRoute, 'handle'> & {
  handle(call: ManagementCall<unknown, unknown>): Promise<unknown>
}

/** Gives a route its types. */
export const defineRoute = <Body extends TSchema, Query extends TSchema>(
  route: ManagementRoute<Body, Query>,
): AnyRoute => route as unknown as AnyRoute
