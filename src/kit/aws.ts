/**
 * What providers on AWS are made of: signatures, logins, hosts, and the binary event streams. Published as `weir/kit/aws`; inside
 * the repository it is `#kit/aws`.
 */

export { AWS_SETTINGS, type AwsAccess, type AwsConfig, awsConfig, createAwsAccess } from './aws/access.ts'
export { awsFailure, statusOfException } from './aws/failure.ts'
export { chunkEvents, EXCEPTION_EVENT, NAMED_EVENTS, payloadBytes, type StreamException } from './aws/framing.ts'
export { partitionOf, serviceURL } from './aws/region.ts'
