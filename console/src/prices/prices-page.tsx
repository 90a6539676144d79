import { useSession } from '../api/session.tsx'
import { Page } from '../ui/page.tsx'
import { OwnPrices } from './own-prices.tsx'
import { PriceList } from './price-list.tsx'

/** What models cost: the list, and what is paid instead. */
export const PricesPage = () => {
  const { scopes } = useSession()
  return (
    <Page
      title="Prices"
      about="What calls are priced by, in dollars for a million tokens. Own prices of an integration come before the list."
    >
      {scopes.includes('organisation_integrations.list') && <OwnPrices />}
      <h2 className="font-semibold">The list</h2>
      <PriceList />
    </Page>
  )
}
