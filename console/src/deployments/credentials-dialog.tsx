import { GATEWAY_URL } from '../api/page.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'

export interface Credentials {
  /** Both as one text, as it is given to the gateway that starts with them. */
  readonly secret: string
  readonly username: string
  readonly password: string
}

/** Shown once: only hashes are stored. */
export const CredentialsDialog = ({
  credentials: { secret },
  onClose,
}: {
  readonly credentials: Credentials
  readonly onClose: () => void
}) => (
  <Dialog
    title="The credentials of the deployment"
    about="This is the only time that they are shown. Start the other gateway with them:"
    onClose={onClose}
  >
    <Code
      label="How to start it"
      text={`WEIR_CONTROL_PLANE=${GATEWAY_URL}\nWEIR_CONTROL_PLANE_CREDENTIALS=${secret}`}
    />
    <div className="flex justify-end">
      <Button look="primary" onClick={onClose}>
        I have them
      </Button>
    </div>
  </Dialog>
)
