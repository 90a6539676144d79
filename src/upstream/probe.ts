/**
 * Tells whether a TCP connection to the address can be made within the limit. `fetch` has no connect time-out of its own
 * and does not say when it is connected, so a call that has waited half of its connect deadline asks this way.
 */
export const canConnect = (hostname: string, port: number, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (reachable: boolean): void => {
      clearTimeout(timer)
      resolve(reachable)
    }
    const timer = setTimeout(() => settle(false), timeoutMs)
    Bun.connect({
      hostname,
      port,
      socket: {
        open(socket) {
          settle(true)
          socket.end()
        },
        data() {},
        // A refused connection is the business of fetch, which reports it with its reason.
        connectError() {
          settle(true)
        },
      },
    }).catch(() => settle(true))
  })
