/** Keys, webhooks and requests: the Developers place. */
export const developers = {
  'API keys': 'API-Schlüssel',
  Webhooks: 'Webhooks',
  Requests: 'Anfragen',

  'Create a key': 'Schlüssel erstellen',
  'No key works at the moment. Your server needs one to create payments: it sends the key as <code>Authorization: Bearer</code>. The <docs>documentation</docs> has an example to paste.':
    'Zurzeit gilt kein Schlüssel. Ihr Server braucht einen, um Zahlungen zu erstellen: Er sendet ihn als <code>Authorization: Bearer</code>. In der <docs>Dokumentation</docs> steht ein Beispiel zum Kopieren.',
  Label: 'Bezeichnung',
  Key: 'Schlüssel',
  Scopes: 'Rechte',
  Read: 'Lesen',
  Write: 'Schreiben',
  'Read: see payments': 'Lesen: Zahlungen sehen',
  'Write: create payments': 'Schreiben: Zahlungen erstellen',
  Revoke: 'Sperren',
  'Revoke {label}': '{label} sperren',
  Revoked: 'Gesperrt',
  revoked: 'gesperrt',
  'Revoked keys': 'Gesperrte Schlüssel',
  'Replacing a key': 'Einen Schlüssel ersetzen',
  'Once a year, when somebody leaves, or when a key may have been seen. Nothing stops meanwhile:':
    'Einmal im Jahr, wenn jemand die Firma verlässt oder wenn ein Schlüssel gesehen worden sein könnte. Dabei steht nichts still:',
  'Create a second key with the same scopes.': 'Erstellen Sie einen zweiten Schlüssel mit denselben Rechten.',
  'Give it to your server and deploy.':
    'Hinterlegen Sie ihn auf Ihrem Server, und nehmen Sie ihn in Betrieb.',
  'Watch “last used” of the old key. It is exact to a minute, and stands still once nothing uses the key any more.':
    'Achten Sie beim alten Schlüssel auf «Zuletzt benutzt». Die Angabe ist auf eine Minute genau und bleibt stehen, sobald nichts mehr den Schlüssel benutzt.',
  'Revoke the old key. It is refused at once.': 'Sperren Sie den alten Schlüssel. Er wird sofort abgewiesen.',
  'If somebody else may have the key, revoke it first and deploy afterwards.':
    'Könnte jemand anders den Schlüssel haben, sperren Sie ihn zuerst, und nehmen Sie den neuen danach in Betrieb.',
  'Create an API key': 'API-Schlüssel erstellen',
  'Who will use it, such as “Shop, production”. Only you see it.':
    'Wer ihn benutzen wird, etwa «Shop, produktiv». Nur Sie sehen das.',
  'What it may do': 'Was er darf',
  'Neither includes the other. A key for reports needs no Write.':
    'Keines schliesst das andere ein. Ein Schlüssel für Auswertungen braucht «Schreiben» nicht.',
  'Create the key': 'Schlüssel erstellen',
  'Back to the keys': 'Zurück zu den Schlüsseln',
  'Your new API key': 'Ihr neuer API-Schlüssel',
  'It is shown only now.': 'Er wird nur jetzt gezeigt.',
  'Copy it to where your server keeps its secrets. We store a fingerprint and cannot show it again; if it is lost, create another.':
    'Kopieren Sie ihn dorthin, wo Ihr Server seine Geheimnisse aufbewahrt. Wir speichern nur einen Fingerabdruck und können ihn nicht noch einmal zeigen; geht er verloren, erstellen Sie einen anderen.',
  'the API key': 'den API-Schlüssel',
  'I have stored it': 'Ich habe ihn gespeichert',
  'Revoke this API key?': 'Diesen API-Schlüssel sperren?',
  'It is revoked already, since {time}. <keys>Back to the keys</keys>':
    'Er ist schon gesperrt, seit {time}. <keys>Zurück zu den Schlüsseln</keys>',
  'Every request with it is refused from that moment on, and it cannot be taken back. Payments that exist go on.':
    'Jede Anfrage damit wird von da an abgewiesen, und das lässt sich nicht rückgängig machen. Bestehende Zahlungen laufen weiter.',
  'Revoke the key': 'Schlüssel sperren',
  'Keep it|a key or an endpoint': 'Behalten',
  'The key is revoked. Whoever uses it is refused from now on.':
    'Der Schlüssel ist gesperrt. Wer ihn benutzt, wird ab jetzt abgewiesen.',

  'from a problem, or the header X-Trace-Id': 'aus einer Fehlermeldung oder dem Header X-Trace-Id',
  Method: 'Methode',
  'Any|status or method': 'Alle',
  Successful: 'Erfolgreich',
  'All errors': 'Alle Fehler',
  Time: 'Zeit',
  Request: 'Anfrage',
  'client left': 'Client ging vorher weg',
  'No request of the last 14 days matches.': 'Keine Anfrage der letzten 14 Tage passt dazu.',
  'No request came with one of your keys in the last 14 days. What your server asks appears here within seconds, without what it sent.':
    'In den letzten 14 Tagen kam keine Anfrage mit einem Ihrer Schlüssel. Was Ihr Server anfragt, erscheint hier innert Sekunden, ohne das, was er gesendet hat.',
  'A traceId has 32 characters, 0 to 9 and a to f. The list is shown without it.':
    'Eine Trace-ID hat 32 Zeichen, 0 bis 9 und a bis f. Die Liste wird ohne sie gezeigt.',

  enabled: 'eingeschaltet',
  failing: 'gestört',
  'disabled by you': 'von Ihnen abgeschaltet',
  'disabled: it answered 410': 'abgeschaltet: antwortete mit 410',
  'disabled: five days without success': 'abgeschaltet: fünf Tage ohne Erfolg',
  'Add an endpoint': 'Endpunkt hinzufügen',
  'Nobody is told yet when a payment changes. Add the address of your server that takes events; it hears of every later one within a second, signed, and again until it answers.':
    'Noch erfährt niemand, wenn sich eine Zahlung ändert. Fügen Sie die Adresse Ihres Servers hinzu, die Ereignisse annimmt; sie erhält jedes spätere innert einer Sekunde, signiert, und so lange wieder, bis sie antwortet.',
  'Webhook endpoints': 'Webhook-Endpunkte',
  'Last arrived': 'Zuletzt angekommen',
  'last arrived': 'zuletzt angekommen',
  'Failing since': 'Erster Fehler',
  'failing since': 'erster Fehler',
  'Waiting|deliveries': 'Wartend',
  'waiting|deliveries': 'wartend',
  Held: 'Zurückgehalten',
  held: 'zurückgehalten',
  'nothing lately': 'in letzter Zeit nichts',
  'it is not': 'nicht gestört',
  'Add a webhook endpoint': 'Webhook-Endpunkt hinzufügen',
  'Of your server, by https, or on this machine by http. It takes POST and answers 2xx within 10 seconds.':
    'Ihres Servers, mit https, oder auf diesem Rechner mit http. Er nimmt POST an und antwortet innert 10 Sekunden mit 2xx.',
  'Of your server, by https, reachable from the internet. It takes POST and answers 2xx within 10 seconds.':
    'Ihres Servers, mit https, aus dem Internet erreichbar. Er nimmt POST an und antwortet innert 10 Sekunden mit 2xx.',
  'Also <code>payment.money</code>: money of a payment that has ended, once it is final':
    'Auch <code>payment.money</code>: Geld einer beendeten Zahlung, sobald es endgültig ist',
  'Nothing is sent to it now. From here on it hears of every change of every payment.':
    'Jetzt wird ihm nichts gesendet. Von da an erfährt er von jeder Änderung jeder Zahlung.',
  'Add the endpoint': 'Endpunkt hinzufügen',
  'Back to the endpoints': 'Zurück zu den Endpunkten',
  'Your new webhook endpoint': 'Ihr neuer Webhook-Endpunkt',
  'The new secret': 'Das neue Geheimnis',
  'The secret is shown only now.': 'Das Geheimnis wird nur jetzt gezeigt.',
  'Copy it to where your server keeps its secrets. If it is lost, replace it.':
    'Kopieren Sie es dorthin, wo Ihr Server seine Geheimnisse aufbewahrt. Geht es verloren, ersetzen Sie es.',
  'For 24 hours every delivery is signed with the old one too, so that nothing is refused meanwhile.':
    'Während 24 Stunden wird jede Zustellung auch mit dem alten signiert, damit inzwischen nichts abgewiesen wird.',
  'the secret': 'das Geheimnis',
  'I have stored it: go to the endpoint': 'Ich habe es gespeichert: zum Endpunkt',
  'Verify what arrives': 'Prüfen, was ankommt',
  'At {url}. <endpoint>Back to the endpoint</endpoint>':
    'Bei {url}. <endpoint>Zurück zum Endpunkt</endpoint>',
  'Anybody can send something to your URL: take as ours only what is signed with your secret, and check the bytes before you parse them. Any library of <library>Standard Webhooks</library> does it too. The secret is read from <code>RAPPEN_WEBHOOK_SECRET</code>; your endpoint is {url}.':
    'Jeder kann Ihrer URL etwas senden: Nehmen Sie nur als von uns an, was mit Ihrem Geheimnis signiert ist, und prüfen Sie die Bytes, bevor Sie sie parsen. Jede Bibliothek von <library>Standard Webhooks</library> kann das auch. Das Geheimnis wird aus <code>RAPPEN_WEBHOOK_SECRET</code> gelesen; Ihr Endpunkt ist {url}.',
  'Events arrive at least once and in no promised order: apply one only if its <code>sequence</code> is higher than the last you saw for that payment.':
    'Ereignisse kommen mindestens einmal an, die Reihenfolge ist nicht zugesichert: Übernehmen Sie eines nur, wenn seine <code>sequence</code> höher ist als die letzte, die Sie zu dieser Zahlung gesehen haben.',

  'Replace the secret?': 'Geheimnis ersetzen?',
  'Replace the secret': 'Geheimnis ersetzen',
  'A new secret for {url}. For 24 hours every delivery carries both signatures, the new and the old: give your server the new secret within that time. Replacing it again before that ends the oldest one at once.':
    'Ein neues Geheimnis für {url}. Während 24 Stunden trägt jede Zustellung beide Signaturen, die neue und die alte: Hinterlegen Sie das neue Geheimnis in dieser Zeit auf Ihrem Server. Wird es vorher noch einmal ersetzt, gilt das älteste sofort nicht mehr.',
  'Keep the present one': 'Jetziges behalten',
  'Change the URL': 'URL ändern',
  'Events go to {url} now.': 'Ereignisse gehen jetzt an {url}.',
  'Keep the present one|a URL': 'Jetzige behalten',
  'By https, or on this machine by http. The secret stays, and what waits goes to the new URL.':
    'Mit https, oder auf diesem Rechner mit http. Das Geheimnis bleibt, und was wartet, geht an die neue URL.',
  'By https, reachable from the internet. The secret stays, and what waits goes to the new URL.':
    'Mit https, aus dem Internet erreichbar. Das Geheimnis bleibt, und was wartet, geht an die neue URL.',
  'Later events go to the new URL.': 'Spätere Ereignisse gehen an die neue URL.',
  'Delete this endpoint?': 'Diesen Endpunkt löschen?',
  'Delete the endpoint': 'Endpunkt löschen',
  'Delete it': 'Löschen',
  'What has not arrived will never be sent to it, and it cannot be brought back. To pause it, disable it instead.':
    'Was nicht angekommen ist, wird ihm nie mehr gesendet, und er lässt sich nicht wiederherstellen. Um ihn nur anzuhalten, schalten Sie ihn ab.',
  'The endpoint is deleted. Nothing is sent to it any more.':
    'Der Endpunkt ist gelöscht. Ihm wird nichts mehr gesendet.',

  'Webhook endpoint': 'Webhook-Endpunkt',
  'Your server does not take what is sent: the first failed {time}, and {count} wait. Each is tried again by itself.':
    'Ihr Server nimmt nicht an, was gesendet wird: Erster Fehler {time}, es warten {count}. Jedes Ereignis wird von selbst noch einmal gesendet.',
  'Your server takes what is sent: the last arrived {time}. Nothing is to be done.':
    'Ihr Server nimmt an, was gesendet wird: Zuletzt kam {time} etwas an. Es ist nichts zu tun.',
  'It is on, and nothing was sent to it lately. A test event shows whether your server takes it.':
    'Er ist eingeschaltet, und in letzter Zeit wurde ihm nichts gesendet. Ein Testereignis zeigt, ob Ihr Server es annimmt.',
  'You have disabled it: nothing is sent, and what happens is held until you enable it.':
    'Sie haben ihn abgeschaltet: Es wird nichts gesendet, und was geschieht, wird zurückgehalten, bis Sie ihn einschalten.',
  'It was disabled because your server answered 410: nothing is sent, and what happens is held until you enable it.':
    'Er wurde abgeschaltet, weil Ihr Server mit 410 antwortete: Es wird nichts gesendet, und was geschieht, wird zurückgehalten, bis Sie ihn einschalten.',
  'It was disabled after five days without success: nothing is sent, and what happens is held until you enable it.':
    'Er wurde nach fünf Tagen ohne Erfolg abgeschaltet: Es wird nichts gesendet, und was geschieht, wird zurückgehalten, bis Sie ihn einschalten.',
  'Send a test event': 'Testereignis senden',
  'The test event was sent: {answer}.': 'Das Testereignis wurde gesendet: {answer}.',
  'the URL': 'die URL',
  'the endpoint’s id': 'die ID des Endpunkts',
  Events: 'Ereignisse',
  Manage: 'Verwalten',
  'How your server verifies what arrives': 'Wie Ihr Server prüft, was ankommt',
  'Change what is sent': 'Ändern, was gesendet wird',
  'Every change of a payment’s status is sent as <code>payment.status</code>.':
    'Jede Änderung des Status einer Zahlung wird als <code>payment.status</code> gesendet.',
  'Send this from now on': 'Ab jetzt so senden',
  'Later events are sent as you chose.': 'Spätere Ereignisse werden gesendet, wie Sie es gewählt haben.',
  'What was held meanwhile': 'Was inzwischen zurückgehalten wurde',
  'Send it': 'Senden',
  'Give it up; each can still be sent again by hand':
    'Aufgeben; einzeln lässt sich jedes noch von Hand senden',
  'Enable it': 'Einschalten',
  'Enabled. What was held is being sent.': 'Eingeschaltet. Was zurückgehalten wurde, wird gesendet.',
  'Enabled. What was held was given up.': 'Eingeschaltet. Was zurückgehalten wurde, ist aufgegeben.',
  'Disable it': 'Abschalten',
  'Nothing is sent while it is disabled. Events are still written, and held for it.':
    'Solange er abgeschaltet ist, wird nichts gesendet. Ereignisse werden weiter geschrieben und für ihn zurückgehalten.',
  'Disabled. Events are written and held until you enable it again.':
    'Abgeschaltet. Ereignisse werden geschrieben und zurückgehalten, bis Sie ihn wieder einschalten.',
  Deliveries: 'Zustellungen',
  'All|deliveries': 'Alle',
  'Failed, not arrived': 'Fehlgeschlagen, nicht angekommen',
  Delivered: 'Zugestellt',
  'Given up': 'Aufgegeben',
  'Next try': 'Nächster Versuch',
  'next try {time}': 'nächster Versuch {time}',
  'sequence {number}': 'sequence {number}',
  'None in this state.': 'Keine in diesem Zustand.',
  'Nothing was sent yet. A test event shows whether your server takes it.':
    'Es wurde noch nichts gesendet. Ein Testereignis zeigt, ob Ihr Server es annimmt.',
  'Send again what failed': 'Fehlgeschlagenes noch einmal senden',
  'Everything that was written since then and has failed: given up, or waiting for another try. Your server sees the same <code>webhook-id</code> as before.':
    'Alles, was seither geschrieben wurde und fehlgeschlagen ist: aufgegeben oder auf einen weiteren Versuch wartend. Ihr Server sieht dieselbe <code>webhook-id</code> wie zuvor.',
  'Since (UTC)': 'Seit (UTC)',
  'Send all of it again': 'Alles noch einmal senden',
  'Choose since when, as a date and a time.': 'Wählen Sie, seit wann, mit Datum und Zeit.',
  'Failed since then and being sent again: {count, number}.':
    'Seither fehlgeschlagen und wird noch einmal gesendet: {count, number}.',

  Delivery: 'Zustellung',
  'It has arrived. Nothing is to be done.': 'Sie ist angekommen. Es ist nichts zu tun.',
  'It has arrived: {answer}. Nothing is to be done.': 'Sie ist angekommen: {answer}. Es ist nichts zu tun.',
  'It is being sent just now.': 'Sie wird gerade gesendet.',
  'It is held back while its endpoint is disabled.':
    'Sie wird zurückgehalten, solange ihr Endpunkt abgeschaltet ist.',
  'It was given up. Send it again once your server is well.':
    'Sie wurde aufgegeben. Senden Sie sie noch einmal, sobald Ihr Server wieder läuft.',
  'It was given up: {answer}. Send it again once your server is well.':
    'Sie wurde aufgegeben: {answer}. Senden Sie sie noch einmal, sobald Ihr Server wieder läuft.',
  'It waits to be sent.': 'Sie wartet darauf, gesendet zu werden.',
  'It has not arrived: {answer}. It is tried again by itself.':
    'Sie ist nicht angekommen: {answer}. Sie wird von selbst noch einmal gesendet.',
  'A test of the endpoint': 'Ein Test des Endpunkts',
  'no answer yet': 'noch keine Antwort',
  'answered {status}': 'Antwort {status}',
  'answered {status}, then {failure}': 'Antwort {status}, dann {failure}',
  'Send it again': 'Noch einmal senden',
  'Sent again: {answer}.': 'Noch einmal gesendet: {answer}.',
  'It is being sent again, and nothing has answered yet. Load this page to see the answer.':
    'Sie wird noch einmal gesendet, und noch kam keine Antwort. Laden Sie diese Seite neu, um sie zu sehen.',
  'Its endpoint is disabled, so it cannot be sent again. <endpoint>Go to the endpoint</endpoint>':
    'Ihr Endpunkt ist abgeschaltet, darum kann sie nicht noch einmal gesendet werden. <endpoint>Zum Endpunkt</endpoint>',
  'What and where': 'Was und wohin',
  About: 'Betrifft',
  deleted: 'gelöscht',
  Written: 'Geschrieben',
  'not yet': 'noch nicht',
  'the start of each try': 'der Beginn jedes Versuchs',
  'made for each try, not kept': 'für jeden Versuch erstellt, nicht aufbewahrt',
  'Body, as it is sent': 'Body, wie er gesendet wird',
  Body: 'Body',
  'the body': 'den Body',
  'As curl': 'Als curl',
  'Signed just now: your server takes it for five minutes. Load the page again for a new one.':
    'Soeben signiert: Ihr Server nimmt es fünf Minuten lang an. Laden Sie die Seite neu für ein neues.',
  'the curl command': 'den curl-Befehl',
  Tries: 'Versuche',
  'after {ms} ms': 'nach {ms} ms',
  'try {number}, {time}, webhook-timestamp {timestamp}':
    'Versuch {number}, {time}, webhook-timestamp {timestamp}',
  'None so far, or they are older than what is kept.':
    'Bisher keine, oder sie sind älter als das, was aufbewahrt wird.',
  'None so far.': 'Bisher keine.',
} as const;
