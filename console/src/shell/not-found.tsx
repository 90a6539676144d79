import { Link } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

export const NotFound = () => (
  <Page title="There is no such page">
    <div>
      <Button asChild>
        <Link to="/">To the beginning</Link>
      </Button>
    </div>
  </Page>
)
