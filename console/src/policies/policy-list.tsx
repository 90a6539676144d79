import { useMay } from '../api/session.tsx'
import { ResourceList, type ResourceListProps } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Name } from '../ui/name.tsx'
import type { Condition } from './conditions-field.tsx'
import { conditionWords } from './words.ts'

/** What all kinds of policies have. */
interface AnyPolicy {
  readonly id: string
  readonly name: string | null
  readonly conditions: readonly Condition[]
  readonly group_by: readonly { readonly key: string }[]
  readonly mode: 'enforce' | 'shadow'
}

export interface PolicyListProps<Policy extends AnyPolicy>
  extends Pick<ResourceListProps<Policy, Policy>, 'noun' | 'query' | 'only' | 'look' | 'dialog' | 'remove'> {
  readonly amountOf: (policy: Policy) => string
  /** Somebody wants to know who is at the limit. */
  readonly onLook: (policy: Policy) => void
}

export const PolicyList = <Policy extends AnyPolicy>({ amountOf, onLook, ...list }: PolicyListProps<Policy>) => (
  <ResourceList
    {...list}
    idOf={({ id }) => id}
    nameOf={({ name }) => name ?? ''}
    texts={({ name, id }) => [name, id]}
    mayCreate={['policies.create']}
    mayUpdate={['policies.update']}
    mayDelete={['policies.delete']}
    removal="Calls are not held to it from then on."
    actions={(policy) => <Looks policy={policy} onLook={onLook} />}
    columns={[
      { title: 'Name', cell: ({ name }) => <Name text={name} /> },
      { title: 'At most', cell: amountOf },
      { title: 'About', cell: ({ conditions }) => <Name text={conditionWords(conditions)} /> },
      { title: 'For each', cell: (policy) => policy.group_by.map(({ key }) => key).join(', ') || 'all together' },
      { title: 'Does', cell: ({ mode }) => <Badge tone={mode === 'enforce' ? 'good' : 'plain'}>{mode}</Badge> },
    ]}
  />
)

/** Before a policy is enforced, one looks whom it would refuse. */
const Looks = <Policy extends AnyPolicy>({
  policy,
  onLook,
}: Pick<PolicyListProps<Policy>, 'onLook'> & { policy: Policy }) => {
  const mayUpdate = useMay('policies.update')
  return (
    <>
      {policy.mode === 'shadow' && mayUpdate && <Button onClick={() => onLook(policy)}>Enforce</Button>}
      <Button onClick={() => onLook(policy)}>Who is at it</Button>
    </>
  )
}
