import { ShortcutSwitch } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Markup } from './markup.ts';

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
      id="shortcut-help"
      opener="Shortcuts"
      openerLabel="Shortcuts: single keys"
      openerTone="quiet"
      shortcut="?"
      title="Single-key shortcuts"
    >
      <dl class="facts">
        {[...keys, ['?', 'Show this list'] as const].map(([key, does]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">They do nothing while you type. This browser remembers the switch.</p>
      <ShortcutSwitch />
    </Dialog>
  </div>
);
