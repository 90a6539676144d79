const MAPPED = /^::ffff:(\d+(?:\.\d+){3})$/i

/** The IPv4 address that a socket for both families shows as one of IPv6; any other text as it is. */
export const unmappedAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address
