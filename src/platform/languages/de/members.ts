/** Texts about the members of an account: pages, refusals and invitations. */
export const MEMBERS: Readonly<Record<string, string>> = {
  // dashboard/members
  'The invitation is on its way.': 'Die Einladung ist unterwegs.',
  'The role has been changed.': 'Die Rolle wurde geändert.',
  'The invitation no longer works.': 'Die Einladung gilt nicht mehr.',
  'The person no longer has access.': 'Die Person hat keinen Zugang mehr.',
  'Everyone has their own login, and every change is recorded under the name of the person who made it.':
    'Alle haben einen eigenen Zugang, und das Protokoll nennt zu jeder Änderung, von wem sie stammt.',
  'Whoever has the link': 'Wer den Link hat',
  Pending: 'Eingeladen',
  '{email}, since {time}': '{email}, seit {time}',
  'Invited by {name}, valid until {time}': 'Eingeladen von {name}, gültig bis {time}',
  'Members can use everything except the settings (API keys, plan and members). Owners can use the settings too.':
    'Mitglieder können alles außer API-Schlüsseln, Tarif und Mitgliedern verwalten, Inhaber auch diese.',
  'Withdraw the invitation for {email}': 'Einladung zurückziehen: {email}',
  'whoever has the link': 'wer den Link hat',
  Withdraw: 'Zurückziehen',
  'Pass this link on': 'Geben Sie diesen Link weiter',
  'People claim it here and arrive at your page with their claim.':
    'Man sichert es sich hier und kommt mit dem Gutschein auf Ihre Seite.',
  'It works once, within {days} days. It isn’t shown again.':
    'Er funktioniert einmal, innerhalb von {days} Tagen, und wird nur jetzt angezeigt.',
  link: 'Link',
  You: 'Sie',
  People: 'Personen',
  'This account belongs to {email}, who always stays an owner. To hand the account over, <a>change the account’s email address</a>.':
    'Dieses Konto gehört {email}; diese Person bleibt immer Inhaber. Um es zu übergeben, <a>ändern Sie die E-Mail-Adresse des Kontos</a>.',
  'Make owner: {name}': 'Zum Inhaber machen: {name}',
  'Make member…': 'Zum Mitglied machen …',
  'Make member… {name}': 'Zum Mitglied machen … {name}',
  'Make an owner a member': 'Inhaber zum Mitglied machen',
  'Make {name} a member?': '{name} zum Mitglied machen?',
  'Make owner': 'Zum Inhaber machen',
  'Make member': 'Zum Mitglied machen',
  'Leave this account': 'Dieses Konto verlassen',
  'Listings, offers, claims, campaigns, requests, webhooks.':
    'Einträge, Angebote, Gutscheine, Kampagnen, API-Aufrufe und Webhooks.',
  'Everything a member can use, and also API keys, plan and members.':
    'Zusätzlich API-Schlüssel, Tarif und Mitglieder.',
  'Invite somebody': 'Jemanden einladen',
  'We’ll send the invitation to this address. If you leave the field empty, you get a link to pass on, and anyone who has the link can use it.':
    'Wir senden die Einladung an diese Adresse. Ohne Adresse erhalten Sie einen Link zum Weitergeben, mit dem jeder beitreten kann.',
  'If you enter an address, only the person with this address can use the link. If you leave the field empty, anyone who has the link can use it.':
    'Mit einer Adresse kann nur diese Person den Link verwenden. Ohne Adresse gilt der Link für alle, die ihn haben.',
  Invite: 'Einladen',
  'Invite…': 'Einladen …',
  'Pass this link on to {email}': 'Geben Sie diesen Link weiter an {email}',
  'Remove a member': 'Mitglied entfernen',
  'Remove {name}?': '{name} entfernen?',
  'This ends:': 'Damit endet:',
  'Access to the account, on every device, including downloads in progress.':
    'Der Zugang zum Konto, auf jedem Gerät, auch für laufende Downloads.',
  'Access to the settings: API keys, plan and members.':
    'Der Zugang zu den Einstellungen: API-Schlüssel, Tarif und Mitglieder.',
  'Invitations that were sent with this role.': 'Einladungen, die mit dieser Rolle verschickt wurden.',
  'API keys that were created or rolled with this role.':
    'API-Schlüssel, die mit dieser Rolle erstellt oder ausgetauscht wurden.',
  'Webhook endpoints whose URL or secret was set with this role: they are paused, unless an owner takes them over.':
    'Webhook-Endpunkte, deren URL oder Signaturschlüssel mit dieser Rolle festgelegt wurde: Sie werden angehalten, außer wenn ein Inhaber sie übernimmt.',
  'Recent identity confirmations: the next sensitive change requires a new one.':
    'Kürzliche Bestätigungen der Identität: Die nächste heikle Änderung verlangt eine neue.',
  'Unused links for a new password or a new address of the person.':
    'Unbenutzte Links für ein neues Passwort oder eine neue Adresse der Person.',
  'API keys that were created or rolled with this role':
    'API-Schlüssel, die mit dieser Rolle erstellt oder ausgetauscht wurden',
  'Never: the person may keep using them': 'Nie: Die Person darf sie weiter verwenden',
  'Webhook endpoints that were set up with this role':
    'Webhook-Endpunkte, die mit dieser Rolle eingerichtet wurden',
  'These endpoints': 'Diese Endpunkte',
  'Pause them': 'Anhalten',
  'Events are held until somebody checks an endpoint and enables it.':
    'Ereignisse werden aufgehoben, bis jemand einen Endpunkt prüft und wieder einschaltet.',
  'Hand them over to me': 'Selbst übernehmen',
  'They keep sending. Check that each URL belongs to this account, and roll the secrets.':
    'Sie senden weiter. Prüfen Sie, ob jede URL zu diesem Konto gehört, und tauschen Sie die Signaturschlüssel aus.',
  Remove: 'Entfernen',
  // members
  'This account has created {count} invitations within a day, which is the limit. Try again in {wait}.':
    'Dieses Konto hat innerhalb eines Tages {count} Einladungen verschickt, mehr sind nicht möglich. Versuchen Sie es in {wait} noch einmal.',
  'An account can have at most {most} members. An owner must remove one first.':
    'Ein Konto hat höchstens {most} Mitglieder. Ein Inhaber muss zuerst eines entfernen.',
  'The plan of this account allows at most {most, plural, one {# member} other {# members}}.':
    'Der Tarif dieses Kontos erlaubt höchstens {most, plural, one {# Mitglied} other {# Mitglieder}}.',
  'This invitation is for {invited}, and you are signed in as {email}. Sign in with the other address, or ask for a link that anyone can use.':
    'Diese Einladung ist für {invited}, und Sie sind als {email} angemeldet. Melden Sie sich mit der anderen Adresse an oder bitten Sie um einen Link, den alle verwenden können.',
  'You already work in this account.': 'Sie arbeiten bereits in diesem Konto.',
  'You are a member of {max} accounts, which is the limit. Leave one first.':
    'Sie sind Mitglied in {max} Konten, mehr sind nicht möglich. Verlassen Sie zuerst eines.',
  'This is the account’s own login, which always stays an owner. To hand the account over, change its email address.':
    'Dieser Person gehört das Konto, sie bleibt immer Inhaber. Um es zu übergeben, ändern Sie seine E-Mail-Adresse.',
  '{by} ({address}) invites you to work in the account “{account}” as a member. You can then work on its listings, offers, claims, campaigns and webhooks.':
    '{by} ({address}) lädt Sie ein, als Mitglied im Konto „{account}“ zu arbeiten. Sie können dann an Einträgen, Angeboten, Gutscheinen, Kampagnen und Webhooks arbeiten.',
  '{by} ({address}) invites you to work in the account “{account}” as an owner. You can then manage everything in it, including its API keys and members.':
    '{by} ({address}) lädt Sie ein, als Inhaber im Konto „{account}“ zu arbeiten. Sie können dann alles darin verwalten, auch API-Schlüssel und Mitglieder.',
  'An invitation to work together': 'Eine Einladung zur Zusammenarbeit',
  'Open the invitation': 'Einladung öffnen',
  'Or open {url} and enter this code:': 'Oder öffnen Sie {url} und geben Sie diesen Code ein:',
  'Sign in with the address that this email was sent to. The invitation can be accepted once, within {days, plural, one {# day} other {# days}}. If you don’t know who invited you, ignore this email, or stop all invitations with the link at its end.':
    'Melden Sie sich mit der Adresse an, an die diese E-Mail ging. Die Einladung kann einmal angenommen werden, innerhalb von {days, plural, one {# Tag} other {# Tagen}}. Falls Sie nicht wissen, wer Sie einlädt, ignorieren Sie diese E-Mail, oder bestellen Sie über den Link an ihrem Ende alle Einladungen ab.',
  'Stop invitations?': 'Einladungen abbestellen?',
  'After that, nobody can send you invitations by email through this marketplace.':
    'Niemand kann Ihnen dann noch über diesen Marktplatz Einladungen per E-Mail schicken.',
  'Stop invitations': 'Einladungen abbestellen',
  'Invitations stopped': 'Einladungen abbestellt',
  'You won’t get any more invitations by email from this marketplace.':
    'Sie erhalten von diesem Marktplatz keine Einladungen per E-Mail mehr.',
  'Invitations allowed': 'Einladungen wieder erlaubt',
  'People can send you invitations by email again.': 'Sie können wieder per E-Mail eingeladen werden.',
  'The invitation was created but not mailed: the owner of this address has opted out of invitations by email.':
    'Die Einladung wurde angelegt, aber nicht verschickt: Für diese Adresse sind Einladungen per E-Mail abbestellt.',
  'The invitation was created but not mailed: this address has received several emails recently. Pass the link on, or mail another invitation in {wait}.':
    'Die Einladung wurde angelegt, aber nicht verschickt: Diese Adresse hat in letzter Zeit mehrere E-Mails erhalten. Geben Sie den Link weiter, oder verschicken Sie in {wait} eine weitere Einladung.',
  'This form was already submitted, and the invitation was created. If you didn’t save its link, withdraw the invitation and create another one.':
    'Dieses Formular wurde schon abgeschickt, und die Einladung wurde angelegt. Wenn Sie ihren Link nicht gespeichert haben, ziehen Sie die Einladung zurück und legen Sie eine neue an.',
  // accounts/hand-over
  'An operator’s account can’t be handed over. Remove its operator rights first.':
    'Das Konto eines Betreibers kann nicht übergeben werden. Entziehen Sie ihm zuerst die Betreiberrechte.',
  'Hand this account over to another person': 'Dieses Konto einer anderen Person übergeben',
  'This ends your password, passkeys, second factor and connected identities, all sessions, including this one, your open invitations, and your roles in other accounts. API keys that no member created stop working after {days, plural, one {# day} other {# days}}. Listings, claims, members and webhook endpoints stay with the account.':
    'Damit enden Ihr Passwort, Ihre Passkeys, der zweite Faktor und verbundene Identitäten, alle Anmeldungen, auch diese, Ihre offenen Einladungen und Ihre Rollen in anderen Konten. API-Schlüssel, die kein Mitglied erstellt hat, gelten noch {days, plural, one {# Tag} other {# Tage}} lang. Einträge, Gutscheine, Mitglieder und Webhook-Endpunkte bleiben beim Konto.',
  'You have handed the account over': 'Sie haben das Konto übergeben',
  'You are signed out. The new owner can sign in with the new address and has received an email with the next steps.':
    'Sie sind abgemeldet. Die neue Person meldet sich mit der neuen Adresse an und hat eine E-Mail mit den nächsten Schritten erhalten.',
  'You are signed out. The new owner needs a new password, with a link from <operator>the operator</operator>.':
    'Sie sind abgemeldet. Die neue Person braucht ein neues Passwort, mit einem Link vom <operator>Betreiber</operator>.',
  'You have taken over a {name} account': 'Sie haben ein Konto bei {name} übernommen',
  'This address now signs in to the account. The former owner is signed out, and their password, passkeys, second factor and open invitations have ended.':
    'Das Konto gehört jetzt zu dieser Adresse. Die Person, der es vorher gehörte, ist abgemeldet; ihr Passwort, ihre Passkeys, der zweite Faktor und offene Einladungen gelten nicht mehr.',
  '{keys, plural, one {# API key} other {# API keys}} that the former owner may know {keys, plural, one {stops} other {stop}} working on {when}. Put new keys on your servers before then.':
    '{keys, plural, one {# API-Schlüssel, den diese Person kennen kann, gilt} other {# API-Schlüssel, die diese Person kennen kann, gelten}} nur noch bis {when}. Hinterlegen Sie bis dahin neue Schlüssel auf Ihren Servern.',
  'Members and webhook endpoints stay. Check both, and roll the secrets of the endpoints.':
    'Mitglieder und Webhook-Endpunkte bleiben. Prüfen Sie beides und tauschen Sie die Signaturschlüssel der Endpunkte aus.',
};
