import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import { type GivenOutVerb, givenOut } from '../resource/given-out.ts'

export type IntegrationVerb = GivenOutVerb

const integrations = givenOut<Integration>('integrations', 'integration', integrationRows)

export const { scopesOf, requireVerb, visibleType } = integrations
export const reachIntegration = integrations.reach
export const integrationEntry = integrations.entry
