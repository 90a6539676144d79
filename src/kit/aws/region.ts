import { InvalidRequest } from '../../errors/gateway-error.ts'

/** A region, so that a name can never become another host, port or path. */
export const REGION = /^[a-z]{2,6}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/

/** Domains of the partitions, by their regions (`partitions.json` of botocore 1.44.5, read 2026-11-22). Other regions: the first. */
const DOMAIN = 'amazonaws.com'
const DOMAINS: readonly (readonly [RegExp, string])[] = [
  [/^cn-/, 'amazonaws.com.cn'],
  [/^eusc-/, 'amazonaws.eu'],
  [/^us-iso-/, 'c2s.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov'],
  [/^us-isof-/, 'csp.hci.ic.gov'],
  [/^eu-isoe-/, 'cloud.adc-e.uk'],
]

/** @throws InvalidRequest naming the setting, for a call without a region or with one that AWS could not have */
export const checkRegion = (region: string | undefined): string => {
  const param = 'aws_region'
  if (region === undefined || region === '') {
    throw new InvalidRequest('AWS needs a region: send x-gateway-aws-region, or set aws_region in the config.', {
      param,
    })
  }
  if (!REGION.test(region)) throw new InvalidRequest('The AWS region must be one such as `eu-central-1`.', { param })
  return region
}

/**
 * Base URL of a service in a region: of `bedrock-runtime` in `us-east-1` `https://bedrock-runtime.us-east-1.amazonaws.com`.
 * @throws InvalidRequest naming `aws_region`
 */
export const serviceURL = (service: string, region: string | undefined): string => {
  const checked = checkRegion(region)
  const domain = DOMAINS.find(([regions]) => regions.test(checked))?.[1] ?? DOMAIN
  return `https://${service}.${checked}.${domain}`
}

/** Partitions by the beginning of their regions, as ARNs name them. Same source. */
const PARTITIONS: readonly (readonly [RegExp, string])[] = [
  [/^cn-/, 'aws-cn'],
  [/^us-gov-/, 'aws-us-gov'],
  [/^eusc-/, 'aws-eusc'],
  [/^us-iso-/, 'aws-iso'],
  [/^us-isob-/, 'aws-iso-b'],
  [/^us-isof-/, 'aws-iso-f'],
  [/^eu-isoe-/, 'aws-iso-e'],
]

/** The partition of a region: `aws` for most. @throws InvalidRequest naming `aws_region` */
export const partitionOf = (region: string | undefined): string => {
  const checked = checkRegion(region)
  return PARTITIONS.find(([regions]) => regions.test(checked))?.[1] ?? 'aws'
}
