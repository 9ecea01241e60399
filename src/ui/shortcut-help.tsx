import { ShortcutSwitch } from './button.tsx';
import { Dialog, DialogCancel } from './dialog.tsx';
import { FormActions } from './form.tsx';
import type { Markup } from './markup.ts';

const ID = 'shortcut-help';

/**
 * The single-key shortcuts of a page, behind `?`, with the switch that turns them off for this browser. Shown only with
 * JavaScript, like the shortcuts.
 */
export const ShortcutHelp = ({
  keys,
}: {
  keys: readonly (readonly [key: string, does: string])[];
}): Markup => (
  <div data-shortcut-switch hidden>
    <Dialog
      id={ID}
      opener="Shortcuts"
      openerLabel="Shortcuts: single keys"
      openerTone="quiet"
      shortcut="?"
      title="Single-key shortcuts"
    >
      <dl class="keys">
        {[...keys, ['?', 'Show this list'] as const].map(([key, does]) => (
          <div>
            <dt>
              <kbd>{key.toUpperCase()}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <ShortcutSwitch />
      <p class="hint">They do nothing while you type. This browser remembers the switch.</p>
      <FormActions>
        <DialogCancel id={ID}>Close</DialogCancel>
      </FormActions>
    </Dialog>
  </div>
);
