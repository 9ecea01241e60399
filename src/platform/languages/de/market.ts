/** Texts for claimants about the marketplace and their claims. */
export const MARKET: Readonly<Record<string, string>> = {
  // market
  '{more, plural, one {# more offer} other {# more offers}}':
    '{more, plural, one {# weiteres Angebot} other {# weitere Angebote}}',
  'Claim offer': 'Angebot sichern',
  'Claim offer: {offer}': 'Angebot sichern: {offer}',
  '{offer}, at {name}': '{offer}, bei {name}',
  'We’ll send you a code. As soon as you enter it, the offer is yours.':
    'Wir senden Ihnen einen Code. Sobald Sie ihn eingeben, gehört das Angebot Ihnen.',
  Help: 'Hilfe',
  'For people who claim offers.': 'Für alle, die sich Angebote sichern.',
  'How do I claim an offer?': 'Wie sichere ich mir ein Angebot?',
  'Open the app’s page on the <a>marketplace</a> and choose <strong>Claim offer</strong>. Enter your email address, then the code from the email. You don’t need a password. The offer is then yours: open the app from your claim’s page, or enter the code at checkout.':
    'Öffnen Sie die App auf dem <a>Marktplatz</a> und wählen Sie <strong>Angebot sichern</strong>. Geben Sie Ihre E-Mail-Adresse ein und dann den Code aus der E-Mail. Ein Passwort brauchen Sie nicht. Danach gehört das Angebot Ihnen: Öffnen Sie die App über Ihren Gutschein oder geben Sie den Code an der Kasse ein.',
  'Open the app’s page on the <a>marketplace</a> and choose <strong>Claim offer</strong>. Sign up with your email address and a password, or sign in. The offer is then yours: open the app from your claim’s page, or enter the code at checkout.':
    'Öffnen Sie die App auf dem <a>Marktplatz</a> und wählen Sie <strong>Angebot sichern</strong>. Registrieren Sie sich mit Ihrer E-Mail-Adresse und einem Passwort oder melden Sie sich an. Danach gehört das Angebot Ihnen: Öffnen Sie die App über Ihren Gutschein oder geben Sie den Code an der Kasse ein.',
  'I didn’t get the code': 'Ich habe den Code nicht erhalten',
  'The email can take up to a minute. Check your spam folder and the spelling of your address, then choose <strong>Send it again</strong>. The code works for 10 minutes in the browser where you asked for it; the link in the email works in any browser.':
    'Es kann eine Minute dauern, bis er ankommt. Sehen Sie im Spam-Ordner nach, prüfen Sie die Schreibweise Ihrer Adresse und wählen Sie dann <strong>Erneut senden</strong>. Der Code gilt 10 Minuten lang in dem Browser, in dem Sie ihn angefordert haben; der Link in der E-Mail funktioniert in jedem Browser.',
  'Where is my claim, my code or my link?': 'Wo ist mein Gutschein, mein Code oder mein Link?',
  'Under <a>My claims</a>, on every device where you sign in with the same email address. Claims don’t move between accounts. If the list is empty, you may have claimed with another address.':
    'Sie finden alles unter <a>Meine Gutscheine</a>, auf jedem Gerät, auf dem Sie sich mit derselben E-Mail-Adresse anmelden. Ist die Liste leer, haben Sie sich das Angebot vielleicht mit einer anderen Adresse gesichert. Auf ein anderes Konto lassen sich Gutscheine nicht übertragen.',
  'Email address that you claimed with': 'E-Mail-Adresse, mit der Sie sich das Angebot gesichert haben',
  'Email me my claims': 'Meine Gutscheine per E-Mail senden',
  'I can’t sign in': 'Ich kann mich nicht anmelden',
  'Sign in with the address you signed up with. If you’ve forgotten your password, <a>request a new one</a>, then write to <operator>the operator</operator>, who will send you a link to set it.':
    'Melden Sie sich mit der Adresse an, mit der Sie sich registriert haben. Wissen Sie das Passwort nicht mehr, <a>fordern Sie ein neues an</a>. Schreiben Sie dann dem <operator>Betreiber</operator>: Er schickt Ihnen einen Link.',
  'Why does it say “Redeemed”?': 'Warum steht dort „Eingelöst“?',
  'The app has applied your offer. Each claim works once, so opening it again changes nothing. If you didn’t get what the offer promises, ask the people who make the app. Their website is on your claim’s page, and they can see when the claim was redeemed.':
    'Die App hat Ihren Gutschein eingelöst. Er gilt nur einmal; ihn noch einmal zu öffnen, ändert nichts. Haben Sie nicht bekommen, was das Angebot verspricht? Dann fragen Sie den Anbieter der App: Seine Website steht auf der Seite Ihres Gutscheins. Er sieht auch, wann Sie ihn eingelöst haben.',
  'Why can’t I claim?': 'Warum kann ich mir ein Angebot nicht sichern?',
  'The app’s page says why: for example, the offer has ended or is paused, or all claims or codes have been given out. Each person can claim an offer only once, so a claim is also refused if you already claimed the offer with another spelling of your address, or with an account that you have deleted.':
    'Der Grund steht auf der Seite der App: Zum Beispiel ist das Angebot beendet oder pausiert, oder alle Gutscheine oder Codes sind vergeben. Jede Person kann sich ein Angebot nur einmal sichern. Das gilt auch, wenn Sie Ihre Adresse anders schreiben oder Ihr Konto gelöscht haben.',
  'What do you know about me?': 'Welche Daten speichern Sie über mich?',
  'Your name and email address, your claims, and when you signed in. On your <a>account page</a>, you can download all of it or delete your account. <privacy>Privacy</privacy> says what is stored, why and for how long.':
    'Ihren Namen, Ihre E-Mail-Adresse, Ihre Gutscheine und wann Sie sich angemeldet haben. Auf Ihrer <a>Kontoseite</a> können Sie alles herunterladen oder das Konto löschen. Unter <privacy>Datenschutz</privacy> steht, was gespeichert wird, warum und wie lange.',
  'Who can help me?': 'Wer kann mir helfen?',
  '<strong>The app</strong> can help with its offer, a code that isn’t accepted, or a refund. Its website is on your claim’s page.':
    '<strong>Der Anbieter der App</strong> bei Fragen zum Angebot, bei einem Code, der nicht angenommen wird, und bei Erstattungen. Seine Website finden Sie auf der Seite Ihres Gutscheins.',
  '<operator>The operator of this marketplace</operator> can help with signing in, your account, or a listing that isn’t what it claims to be.':
    '<operator>Der Betreiber dieses Marktplatzes</operator> bei Fragen zur Anmeldung, zu Ihrem Konto und zu Apps, die nicht halten, was sie versprechen.',
  'No apps are published here yet.': 'Hier sind noch keine Apps veröffentlicht.',
  'Publish your app': 'Eigene App veröffentlichen',
  'Do you have an app? <a>Publish it here</a> with an offer of your own.':
    'Haben Sie eine App? <a>Veröffentlichen Sie sie hier</a> mit einem eigenen Angebot.',
  Search: 'Suchen',
  'App or offer': 'App oder Angebot',
  Featured: 'Empfohlen',
  'Unknown category': 'Unbekannte Kategorie',
  '“{search}”': '„{search}“',
  'All apps': 'Alle Apps',
  'Discount offers': 'Rabatte',
  'Trial offers': 'Testangebote',
  'Credit offers': 'Guthaben',
  'Bonus offers': 'Bonusangebote',
  'Access offers': 'Zugänge',
  'Gift offers': 'Geschenke',
  'Best match': 'Beste Treffer',
  Newest: 'Neueste',
  Popular: 'Beliebt',
  'Ending soon': 'Endet bald',
  Order: 'Reihenfolge',
  Filters: 'Filter',
  Categories: 'Kategorien',
  All: 'Alle',
  Offers: 'Angebote',
  '{count, plural, one {# app has no open offer with an end date, so it is not listed here.} other {# apps have no open offer with an end date, so they are not listed here.}} <a>Show all</a>':
    '{count, plural, one {# App ohne offenes Angebot mit Enddatum ist hier nicht aufgeführt.} other {# Apps ohne offenes Angebot mit Enddatum sind hier nicht aufgeführt.}} <a>Alle anzeigen</a>',
  'Page {page, number} of {pages, number}': 'Seite {page, number} von {pages, number}',
  'There is no page {page, number}.': 'Es gibt keine Seite {page, number}.',
  'This category doesn’t exist (any more).': 'Diese Kategorie gibt es nicht (mehr).',
  'Show all apps': 'Alle Apps anzeigen',
  'No open offer here has an end date.': 'Kein offenes Angebot hier hat ein Enddatum.',
  'Show the newest': 'Die neuesten anzeigen',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} at the moment.':
    'Im Moment gibt es {kind, select, discount {keine Rabatte} trial {keine Testangebote} credit {keine Guthaben} bonus {keine Bonusangebote} access {keine Zugänge} gift {keine Geschenke} other {keine Apps}}.',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} in {category} at the moment.':
    'Im Moment gibt es in {category} {kind, select, discount {keine Rabatte} trial {keine Testangebote} credit {keine Guthaben} bonus {keine Bonusangebote} access {keine Zugänge} gift {keine Geschenke} other {keine Apps}}.',
  'Show all offers': 'Alle Angebote anzeigen',
  'Show all offers in {category}': 'Alle Angebote in {category} anzeigen',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} match “{search}”. Try fewer or shorter words.':
    '{kind, select, discount {Keine Rabatte} trial {Keine Testangebote} credit {Keine Guthaben} bonus {Keine Bonusangebote} access {Keine Zugänge} gift {Keine Geschenke} other {Keine Apps}} passen zu „{search}“. Versuchen Sie es mit weniger oder kürzeren Wörtern.',
  '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} in {category} match “{search}”. Try fewer or shorter words.':
    '{kind, select, discount {Keine Rabatte} trial {Keine Testangebote} credit {Keine Guthaben} bonus {Keine Bonusangebote} access {Keine Zugänge} gift {Keine Geschenke} other {Keine Apps}} in {category} passen zu „{search}“. Versuchen Sie es mit weniger oder kürzeren Wörtern.',
  'Search all apps': 'Alle Apps durchsuchen',
  'The offer was not claimed': 'Das Angebot wurde nicht gesichert',
  'The offer': 'Das Angebot',
  'There are no offers at the moment.': 'Im Moment gibt es keine Angebote.',
  'To claim an offer, all you need is an email address.':
    'Um sich ein Angebot zu sichern, brauchen Sie nur eine E-Mail-Adresse.',
  'Sign in or sign up to publish your app.':
    'Melden Sie sich an oder registrieren Sie sich, um Ihre App zu veröffentlichen.',
  '20% off': '20 % Rabatt',
  'You claimed an offer from Calm Notes.': 'Ihr Angebot von Calm Notes.',
  'Sign in or sign up to claim an offer.':
    'Melden Sie sich an oder registrieren Sie sich, um sich ein Angebot zu sichern.',
  '<in>Sign in</in> or <up>sign up</up> to claim an offer.':
    '<in>Melden Sie sich an</in> oder <up>registrieren Sie sich</up>, um sich ein Angebot zu sichern.',
  'About {name}': 'Über {name}',
  By: 'Anbieter',
  'Report this app': 'Diese App melden',
  'Redeem at checkout with a code.': 'Einlösbar an der Kasse mit einem Code.',
  'Redeem at {host} with a code.': 'Einlösbar auf {host} mit einem Code.',
  'Redeem at {host}.': 'Einlösbar auf {host}.',
  '{count} claimed': '{count}-mal gesichert',
  'Show your claim: {offer}': 'Gutschein anzeigen: {offer}',
  'Show your claim': 'Gutschein anzeigen',
  'The operator has suspended this app': 'Der Betreiber hat diese App gesperrt',
  'The app has left this marketplace': 'Der Anbieter hat diese App zurückgezogen',
  'See other offers': 'Andere Angebote ansehen',
  'Its offers can’t be claimed any more. Existing claims are not deleted.':
    'Die Angebote kann man sich nicht mehr sichern. Vorhandene Gutscheine werden nicht gelöscht.',
  'Its offers can’t be claimed any more. Existing claims can still be redeemed.':
    'Die Angebote kann man sich nicht mehr sichern. Vorhandene Gutscheine können weiterhin eingelöst werden.',
  Conditions: 'Bedingungen',
  'Ready to use': 'Bereit zum Einlösen',
  'Can’t be used': 'Nicht nutzbar',
  'Opens on {day}.': 'Öffnet am {day}.',
  'The app has paused this offer.': 'Der Anbieter hat dieses Angebot pausiert.',
  '{limit, plural, =1 {Its only claim has been made.} other {All of its # claims have been made.}}':
    '{limit, plural, =1 {Der einzige Gutschein ist vergeben.} other {Alle # Gutscheine sind vergeben.}}',
  'It can’t be claimed at the moment.': 'Im Moment kann man sich das Angebot nicht sichern.',
  'It ended on {day}.': 'Das Angebot endete am {day}.',
  'Until {day}': 'Bis {day}',
  '{left} of {limit, number} left': 'Noch {left} von {limit, number}',
  '{left} left': 'Noch {left}',
  'Claim offer · {name}': 'Angebot sichern · {name}',
  'Your report goes to <operator>the operator of this marketplace</operator>. The people behind {name} won’t learn who you are.':
    'Ihre Meldung geht an <operator>den Betreiber dieses Marktplatzes</operator>. Der Anbieter von {name} erfährt nicht, wer Sie sind.',
  'Thank you': 'Vielen Dank',
  'Back to the app’s page': 'Zurück zur App',
  'We look at every report.': 'Wir sehen uns jede Meldung an.',
  'What is wrong?': 'Was stimmt nicht?',
  'What happened?': 'Was ist passiert?',
  'At most 1,000 characters. Required for “Something else”. Leave out codes and personal data.':
    'Höchstens 1.000 Zeichen. Bei „Etwas anderes“ erforderlich. Lassen Sie Codes und persönliche Daten weg.',
  'Send report': 'Meldung senden',
  // market/claims
  'My claims': 'Meine Gutscheine',
  'Your claim': 'Ihr Gutschein',
  'Copy code': 'Code kopieren',
  '{name} was not opened': '{name} wurde nicht geöffnet',
  'Claimed {time}': 'Gesichert am {time}',
  History: 'Verlauf',
  'The claim was redeemed. A newer claim replaces it: see My claims.':
    'Er wurde eingelöst. Ein neuerer Gutschein unter „Meine Gutscheine“ ersetzt ihn.',
  'This claim was redeemed at {name}. A claim can be redeemed only once.':
    'Er wurde bei {name} eingelöst. Ein Gutschein kann nur einmal eingelöst werden.',
  'Only you have this code. Enter it at checkout.':
    'Diesen Code haben nur Sie. Geben Sie ihn an der Kasse ein.',
  'Enter the code at checkout. That’s all you need.':
    'Geben Sie den Code an der Kasse ein. Mehr ist nicht nötig.',
  'This claim can’t be redeemed any more.': 'Er kann nicht mehr eingelöst werden.',
  'This claim can’t be redeemed at the moment.': 'Er kann im Moment nicht eingelöst werden.',
  'Open {name} to redeem your claim.': 'Öffnen Sie {name}, um Ihren Gutschein einzulösen.',
  'Open {name} to redeem your claim, and enter the code at checkout there.':
    'Öffnen Sie {name}, um Ihren Gutschein einzulösen, und geben Sie dort an der Kasse den Code ein.',
  'This claim can’t be used at the moment.': 'Er kann im Moment nicht genutzt werden.',
  'Show as QR code': 'Als QR-Code anzeigen',
  'QR code of the checkout code': 'QR-Code mit dem Code für die Kasse',
  'Cannot be opened': 'Kann nicht geöffnet werden',
  'Your claim is safe. Report this problem to the operator of this marketplace.':
    'Ihr Gutschein ist sicher. Sagen Sie dem Betreiber dieses Marktplatzes Bescheid.',
  'The account behind {name} is suspended': 'Das Konto hinter {name} ist gesperrt',
  'Your claim is safe. You’ll be able to redeem it once the operator of this marketplace restores that account.':
    'Ihr Gutschein ist sicher. Sie können ihn einlösen, sobald der Betreiber dieses Marktplatzes das Konto wieder freigibt.',
  '{name} has left this marketplace': '{name} hat diesen Marktplatz verlassen',
  'Claims could be redeemed until {day}.': 'Gutscheine konnten bis {day} eingelöst werden.',
  'You can redeem your claim until {day}.': 'Sie können Ihren Gutschein bis {day} einlösen.',
  '{name} no longer offers this': '{name} bietet das nicht mehr an',
  'Your claim still works.': 'Ihr Gutschein gilt weiterhin.',
  Claimed: 'Gesichert',
  'Opened {name} for the first time': '{name} zum ersten Mal geöffnet',
  'Redeemed at {name}': 'Bei {name} eingelöst',
  'Not redeemed yet': 'Noch nicht eingelöst',
  'Problem with this claim?': 'Problem mit dem Gutschein?',
  'Continue on your phone': 'Auf dem Telefon weitermachen',
  'QR code with the URL of this page': 'QR-Code mit der URL dieser Seite',
  'Scan to open this page; you’ll need to sign in. The QR code doesn’t contain your claim.':
    'Scannen Sie den QR-Code, um diese Seite zu öffnen; dazu müssen Sie sich anmelden. Ihr Gutschein steht nicht darin.',
  'First page': 'Erste Seite',
  'Redeemed {time}': 'Eingelöst am {time}',
  'Open {name}: {offer}': '{name} öffnen: {offer}',
  'Open {name}': '{name} öffnen',
  'the code': 'den Code',
  'Copy and open {name}': 'Kopieren und {name} öffnen',
  'The offers that you claim appear here, with their codes and a button that opens the app.':
    'Hier finden Sie die Angebote, die Sie sich sichern, mit ihren Codes und dem Weg zur App.',
  'Browse offers': 'Angebote ansehen',
  '20% off the first year': '20 % Rabatt im ersten Jahr',
  // market/found
  'No offers at the moment': 'Im Moment keine Angebote',
  '{left, number} left': 'noch {left, number}',
  'until {day}': 'bis {day}',
  'New offers · {name}': 'Neue Angebote · {name}',
  // claims
  'You’ve just claimed this offer in another window. See your claims.':
    'Sie haben sich dieses Angebot gerade in einem anderen Fenster gesichert. Sehen Sie unter Ihren Gutscheinen nach.',
  'This offer was already claimed with your mailbox: under a different spelling of your address, or by an account that has since been deleted or moved to a different address. If the claim belongs to another account that you still have, sign in to that account to use it.':
    'Dieses Angebot wurde mit Ihrem Postfach bereits gesichert: mit einer anderen Schreibweise Ihrer Adresse oder von einem Konto, das inzwischen gelöscht wurde oder eine andere Adresse hat. Wenn Sie dieses Konto noch haben, melden Sie sich dort an, um den Gutschein zu nutzen.',
  'This offer does not exist.': 'Dieses Angebot gibt es nicht.',
  'Confirm your email address first: sign out, then sign in with an emailed code.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Melden Sie sich ab und dann mit einem Code per E-Mail wieder an.',
  'You have claimed {count, plural, one {# offer} other {# offers}} in 24 hours, the limit for one person. Try again tomorrow.':
    'Sie haben sich in 24 Stunden {count, plural, one {# Angebot} other {# Angebote}} gesichert, mehr sind für eine Person nicht möglich. Versuchen Sie es morgen noch einmal.',
  'Too many offers were claimed from your network today. Try again tomorrow, or from another network.':
    'Aus Ihrem Netz wurden heute zu viele Angebote gesichert. Versuchen Sie es morgen noch einmal oder aus einem anderen Netz.',
  'There is no such claim.': 'Diesen Gutschein gibt es nicht.',
  'This offer has no page to open. Enter its code at checkout.':
    'Dieses Angebot hat keine Seite zum Öffnen. Geben Sie den Code an der Kasse ein.',
  'This claim can’t be opened at the moment.': 'Dieser Gutschein lässt sich im Moment nicht öffnen.',
  // listings
  'The offer doesn’t work': 'Das Angebot funktioniert nicht',
  'The offer isn’t as described': 'Das Angebot entspricht nicht der Beschreibung',
  'It looks like a scam': 'Es sieht nach Betrug aus',
  'It is illegal or offensive': 'Es ist illegal oder anstößig',
  'Something else': 'Etwas anderes',
  'Choose what is wrong.': 'Wählen Sie aus, was nicht stimmt.',
  'Too many reports. Try again in {wait}.': 'Zu viele Meldungen. Versuchen Sie es in {wait} noch einmal.',
  'Say what is wrong.': 'Schreiben Sie, was nicht stimmt.',
  // offers
  Discount: 'Rabatt',
  Trial: 'Testphase',
  Credit: 'Guthaben',
  Bonus: 'Bonus',
  Access: 'Zugang',
  Gift: 'Geschenk',
  'All codes have been given out.': 'Alle Codes sind vergeben.',
  'The listing takes no claims: its state is {state, select, changes_requested {changes requested} draft {draft} pending {pending} rejected {rejected} withdrawn {withdrawn} other {suspended}}, not approved.':
    'Die App nimmt keine Gutscheine an: Sie {state, select, changes_requested {braucht Änderungen} draft {ist ein Entwurf} pending {wartet auf Prüfung} rejected {ist abgelehnt} withdrawn {ist zurückgezogen} other {ist gesperrt}}.',
  'The offer takes no claims: it has not been approved.':
    'Das Angebot ist nicht verfügbar: Es ist nicht freigegeben.',
  'The offer takes no claims: its owner has paused it.':
    'Das Angebot ist nicht verfügbar: Der Anbieter hat es pausiert.',
  'The offer opens on {day}.': 'Das Angebot beginnt am {day}.',
  'The offer is over: it ended on {day}.': 'Das Angebot ist vorbei: Es endete am {day}.',
  'The offer is over: {limit, plural, =1 {its only claim has been made} other {all of its # claims have been made}}.':
    'Das Angebot ist vorbei: {limit, plural, =1 {Der einzige Gutschein ist vergeben} other {Alle # Gutscheine sind vergeben}}.',
  // brand
  'Offers from apps worth trying': 'Angebote von Apps, die sich lohnen',
  'Claim an offer here, then redeem it in the app.':
    'Sichern Sie sich hier ein Angebot und lösen Sie es in der App ein.',
  'Many accounts with an address at {domain} have just claimed this offer. You can claim it in {minutes, plural, =1 {a minute} other {# minutes}}.':
    'Viele Konten mit einer Adresse bei {domain} haben sich dieses Angebot gerade gesichert. Sie können es sich in {minutes, plural, =1 {einer Minute} other {# Minuten}} sichern.',
  'Many new accounts in your network have just claimed this offer. You can claim it in {minutes, plural, =1 {a minute} other {# minutes}}, or now from another network.':
    'Viele neue Konten in Ihrem Netz haben sich dieses Angebot gerade gesichert. Sie können es sich in {minutes, plural, =1 {einer Minute} other {# Minuten}} sichern oder sofort aus einem anderen Netz.',
  'There are already several open reports about this listing from your network, and the operator will look at them. Yours was not added.':
    'Zu diesem Eintrag gibt es schon mehrere offene Meldungen aus Ihrem Netz; der Betreiber sieht sie sich an. Ihre wurde nicht hinzugefügt.',
  'This listing already has many open reports, and the operator will look at them. Yours was not added.':
    'Zu diesem Eintrag gibt es schon viele offene Meldungen; der Betreiber sieht sie sich an. Ihre wurde nicht hinzugefügt.',
};
