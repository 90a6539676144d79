import { expect, test } from 'bun:test'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import { serviceURL } from './region.ts'

test.each([
  ['us-east-1', 'amazonaws.com'],
  ['ap-southeast-2', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-northwest-1', 'amazonaws.com.cn'],
  ['eusc-de-east-1', 'amazonaws.eu'],
  ['us-iso-east-1', 'c2s.ic.gov'],
  ['us-isob-east-1', 'sc2s.sgov.gov'],
  ['us-isof-south-1', 'csp.hci.ic.gov'],
  ['eu-isoe-west-1', 'cloud.adc-e.uk'],
])('%s is at %s', (region, domain) => {
  expect(serviceURL('bedrock-runtime', region)).toBe(`https://bedrock-runtime.${region}.${domain}`)
})

test.each([
  undefined,
  '',
  'x',
  'us-east',
  'US-EAST-1',
  'us-east-1.evil.example',
  'us-east-1/',
  'us-east-1\n',
  'a b-c-1',
])('%j is no region', (region) => {
  expect(() => serviceURL('bedrock', region)).toThrow(InvalidRequest)
})
