import './styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { toFailure } from './api/failure.ts'
import { STYLE_NONCE } from './api/page.ts'
import { router } from './router.tsx'
import { App } from './shell/app.tsx'
import { startTheme } from './ui/theme.ts'

startTheme()
// Radix asks for it under this name before it puts a style sheet into the page.
Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE })

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What was refused is refused again.
      retry: (failures, error) => failures < 2 && [0, 502, 503, 504].includes(toFailure(error).status),
    },
  },
})

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the console')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>
  </StrictMode>,
)
