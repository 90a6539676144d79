import * as Menu from '@radix-ui/react-dropdown-menu'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { PREFIX } from '../api/page.ts'
import { signOut, useChooseWorkspace, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../ui/theme.ts'
import { sectionsOf } from './sections.ts'

const ITEM = 'flex min-h-9 items-center rounded px-2 data-[highlighted]:bg-raised outline-none'

/** Everything around a page. */
export const Layout = () => {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13rem_1fr]">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3">
        Skip to the content
      </a>
      <header className="flex items-center justify-between gap-2 border-b border-line bg-panel p-3 lg:hidden">
        <span className="font-semibold">Weir</span>
        <Button aria-expanded={isOpen} aria-controls="sections" onClick={() => setOpen(!isOpen)}>
          Menu
        </Button>
      </header>
      <aside
        id="sections"
        aria-label="Navigation"
        className={`${isOpen ? 'grid' : 'hidden'} content-start gap-4 border-r border-line bg-panel p-3 lg:sticky lg:top-0 lg:grid lg:h-dvh lg:grid-rows-[auto_1fr_auto] lg:overflow-y-auto`}
      >
        <div className="grid gap-3">
          <span className="hidden px-2 text-lg font-semibold lg:block">Weir</span>
          <WorkspaceChoice />
        </div>
        <nav aria-label="Sections" className="grid content-start gap-0.5">
          {sectionsOf(session).map(({ to, title }) => (
            <Link
              key={to}
              to={to}
              onClick={() => setOpen(false)}
              activeProps={{ 'aria-current': 'page' }}
              className="rounded-md px-2 py-1.5 hover:bg-raised aria-[current=page]:bg-raised aria-[current=page]:font-semibold"
            >
              {title}
            </Link>
          ))}
          <a href={`${PREFIX}/docs`} className="rounded-md px-2 py-1.5 hover:bg-raised">
            API reference
          </a>
        </nav>
        <Account />
      </aside>
      <main id="content" className="min-w-0">
        <Outlet />
      </main>
    </div>
  )
}

const WorkspaceChoice = () => {
  const { workspaces, workspace } = useSession()
  const choose = useChooseWorkspace()
  if (workspaces.length < 2) return null
  return (
    <select
      aria-label="Workspace"
      value={workspace}
      onChange={(event) => void choose(event.target.value)}
      className="min-h-9 w-full rounded-md border border-line bg-panel px-2"
    >
      {workspaces.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  )
}

const Account = () => {
  const { user, api_key: key } = useSession()
  const [theme, setTheme] = useState(chosenTheme)
  // With the page goes all that it holds: nothing of somebody stays for whoever comes next.
  const leave = (): void => void signOut().finally(() => location.reload())
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger asChild>
        <Button className="w-full justify-start! overflow-hidden" aria-label={`Account: ${user?.email ?? key?.name}`}>
          <span className="truncate">{user?.email ?? key?.name}</span>
        </Button>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          align="start"
          className="z-50 min-w-48 rounded-md border border-line bg-panel p-1 shadow-lg"
          sideOffset={4}
        >
          <Menu.Label className="px-2 py-1 text-soft">Colours</Menu.Label>
          <Menu.RadioGroup
            value={theme}
            onValueChange={(chosen) => {
              chooseTheme(chosen as Theme)
              setTheme(chosen as Theme)
            }}
          >
            {Object.entries(THEMES).map(([value, text]) => (
              <Menu.RadioItem key={value} value={value} className={ITEM}>
                <span className="w-5">
                  <Menu.ItemIndicator>✓</Menu.ItemIndicator>
                </span>
                {text}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Separator className="my-1 border-t border-line" />
          <Menu.Item className={ITEM} onSelect={leave}>
            Sign out
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}
