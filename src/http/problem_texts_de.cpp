#include "http/problem_texts.hpp"

#include "base/assert.hpp"

namespace einmal::http {

ProblemText german_text(ProblemCode code) {
    switch (code) {
        case ProblemCode::idempotency_key_required:
            return {
                "Ein Idempotency-Key ist nötig",
                "Ein POST oder DELETE kam ohne Idempotency-Key oder mit einem leeren. Ohne Schlüssel ließe sich eine "
                "Wiederholung nicht erkennen, und nach einer verlorenen Antwort bliebe nur Raten.",
                "Es wurde nichts ausgeführt und nichts gespeichert.",
                "Gib der Operation einen Namen, etwa pay-B-1042, halte ihn vor dem Senden fest und sende ihn mit jedem "
                "Versuch dieser einen Operation."};
        case ProblemCode::idempotency_key_invalid:
            return {
                "Der Idempotency-Key ist nicht lesbar",
                "Das Feld kommt zweimal vor, ist länger als 255 Zeichen, ist falsch in Anführungszeichen gesetzt oder "
                "enthält Zeichen, die ein Schlüssel nicht haben kann. Schlüssel werden nie gekürzt oder verbunden.",
                "Es wurde nichts ausgeführt und nichts gespeichert.",
                "Sende ein einziges Feld mit 1 bis 255 sichtbaren ASCII-Zeichen. Leerzeichen und Kommas brauchen die "
                "Form mit Anführungszeichen."};
        case ProblemCode::idempotency_in_progress:
            return {"Die Operation läuft noch",
                    "Ein früherer Versuch mit diesem Schlüssel und demselben Inhalt ist noch nicht beendet.",
                    "Dieser Versuch hat nichts bewirkt; der frühere ist bei der Arbeit.",
                    "Warte die Zeit aus Retry-After ab und sende dieselbe Anfrage mit demselben Schlüssel. Mit Prefer: "
                    "wait=10 wartet der Server für dich."};
        case ProblemCode::idempotency_payload_mismatch:
            return {"Der Schlüssel gehört zu einer anderen Anfrage",
                    "Dieser Schlüssel wurde schon für eine Anfrage mit anderem Inhalt oder anderem Pfad verwendet.",
                    "Diese Anfrage hat nichts bewirkt. Wofür der Schlüssel vorher stand, ist unverändert.",
                    "Nimm für einen neuen Vorgang einen neuen Schlüssel. Sollte es eine Wiederholung sein, sende genau "
                    "das, "
                    "was du zuerst gesendet hast."};
        case ProblemCode::idempotency_key_unknown:
            return {
                "Über diesen Schlüssel ist nichts bekannt",
                "Für dein Konto wurde keine Operation mit diesem Schlüssel, dieser Methode und dieser Route beendet, "
                "oder ihr Eintrag ist abgelaufen.",
                "Die Abfrage ändert nichts.",
                "Wenn du innerhalb der Aufbewahrungszeit fragst, wurde die Operation nicht ausgeführt: Sende sie noch "
                "einmal mit demselben Schlüssel."};
        case ProblemCode::precondition_invalid:
            return {"Die Bedingung ist nicht lesbar",
                    "If-Match oder If-None-Match ist weder * noch eine Liste von ETags in Anführungszeichen. Eine "
                    "Bedingung, "
                    "die der Server nicht lesen kann, übergeht er nicht.",
                    "Es wurde nichts ausgeführt.",
                    "Sende den ETag genau so, wie du ihn bekommen hast, mit seinen Anführungszeichen."};
        case ProblemCode::precondition_failed:
            return {"Die Ressource hat sich geändert",
                    "Die Ressource ist nicht in dem Zustand, den deine Bedingung nennt; jemand war schneller.",
                    "Deine Änderung wurde nicht vorgenommen. Der Schlüssel ist noch frei.",
                    "Lies die Ressource neu, führe deine Änderung darauf zusammen und sende mit dem neuen ETag. Die "
                    "Antwort "
                    "nennt die abweichenden Felder, soweit du sie lesen darfst."};
        case ProblemCode::precondition_required:
            return {"Eine Bedingung ist nötig",
                    "Ressourcen dieses Typs ändert nur, wer sagt, welchen Zustand er gesehen hat.",
                    "Es wurde nichts ausgeführt.", "Lies die Ressource und sende ihren ETag als If-Match."};
        case ProblemCode::unknown_parameter:
            return {
                "Diesen Parameter gibt es nicht",
                "Die Abfrage enthält einen Parameter, den diese Ressource nicht kennt. Er könnte dir etwas bedeutet "
                "haben, darum wird er nicht übergangen.",
                "Es wurde nichts ausgeführt.",
                "Entferne den Parameter oder berichtige seinen Namen; die API-Beschreibung nennt alle."};
        case ProblemCode::parameter_invalid:
            return {"Ein Parameter hat keinen brauchbaren Wert",
                    "Ein Parameter fehlt, steht doppelt da, liegt außerhalb seines Bereichs, oder ein Cursor gehört "
                    "nicht zu "
                    "dieser Liste.",
                    "Es wurde nichts ausgeführt.",
                    "Berichtige den Wert. Nimm Cursor nur aus next_cursor derselben Liste."};
        case ProblemCode::json_invalid:
            return {"Der Inhalt ist kein gültiges JSON",
                    "Der Inhalt ist leer, verletzt die Regeln von JSON, nennt ein Feld zweimal oder ist kein UTF-8.",
                    "Es wurde nichts ausgeführt. Der Schlüssel ist noch frei.",
                    "Berichtige den Inhalt an der Zeile und Spalte, die die Antwort nennt."};
        case ProblemCode::number_not_exact:
            return {
                "Eine Zahl lässt sich nicht genau bewahren",
                "Eine Zahl ist größer oder feiner, als der Server ohne Runden speichern kann. Er rundet nie, was du "
                "sendest.",
                "Es wurde nichts ausgeführt. Der Schlüssel ist noch frei.",
                "Sende die Zahl als Text oder mit weniger Stellen."};
        case ProblemCode::validation_failed:
            return {
                "Die Ressource wäre nicht gültig",
                "Die Ressource, die aus deiner Anfrage entstünde, verletzt die Regeln ihres Typs.",
                "Es wurde nichts geändert. Der Schlüssel ist noch frei.",
                "Berichtige die unter errors genannten Felder und sende noch einmal; derselbe Schlüssel ist erlaubt."};
        case ProblemCode::read_only_member:
            return {"Ein Feld gehört dem Server",
                    "Die Anfrage würde ein Feld ändern, das nur der Server setzt, etwa id oder revision.",
                    "Es wurde nichts geändert. Der Schlüssel ist noch frei.",
                    "Lass das Feld weg oder sende seinen jetzigen Wert."};
        case ProblemCode::conflict:
            return {
                "Ein eindeutiger Wert ist vergeben",
                "Eine andere Ressource hat bereits den Wert eines Feldes, der eindeutig sein muss.",
                "Es wurde nichts geändert. Der Schlüssel ist noch frei.",
                "Wähle einen anderen Wert oder arbeite mit der anderen Ressource; die Antwort nennt sie, wenn du sie "
                "lesen darfst."};
        case ProblemCode::not_found:
            return {"Diese Ressource gibt es nicht",
                    "Der Pfad führt nirgendwohin, die Ressource wurde gelöscht, oder sie gehört jemand anderem.",
                    "Es wurde nichts ausgeführt.", "Prüfe Pfad und Id. Ids werden nie wieder verwendet."};
        case ProblemCode::method_not_allowed:
            return {"Die Ressource kennt diese Methode nicht", "Der Pfad stimmt, aber nicht für diese Methode.",
                    "Es wurde nichts ausgeführt.", "Nimm eine der Methoden aus dem Allow-Feld."};
        case ProblemCode::unauthorized:
            return {"Ein gültiges Token ist nötig",
                    "Die Anfrage kam ohne Token oder mit einem, das unbekannt ist oder widerrufen wurde.",
                    "Es wurde nichts ausgeführt; der Schlüssel wurde nicht angesehen.",
                    "Sende Authorization: Bearer und ein geltendes Token. Wer den Server betreibt, erzeugt Tokens mit "
                    "einmal "
                    "token create."};
        case ProblemCode::forbidden:
            return {"Das Token erlaubt dies nicht",
                    "Dein Token gilt, aber ihm fehlt der Scope, den diese Anfrage braucht.",
                    "Es wurde nichts ausgeführt.", "Bitte um ein Token mit dem Scope, den die Antwort nennt."};
        case ProblemCode::rate_limited:
            return {"Zu viele Anfragen", "Dein Token hat mehr Anfragen gesendet, als es in dieser Zeit darf.",
                    "Es wurde nichts ausgeführt; die Ablehnung wird unter dem Schlüssel nicht gemerkt.",
                    "Warte die Zeit aus Retry-After ab und sende dieselbe Anfrage mit demselben Schlüssel."};
        case ProblemCode::unsupported_media_type:
            return {"Diese Art von Inhalt wird nicht angenommen",
                    "Der Content-Type, sein Zeichensatz oder die Inhaltskodierung passt nicht zu dieser Methode.",
                    "Es wurde nichts ausgeführt.",
                    "Sende application/json mit POST und PUT, application/merge-patch+json mit PATCH, in UTF-8 und "
                    "unkomprimiert."};
        case ProblemCode::body_too_large:
            return {"Der Inhalt ist zu groß", "Der Inhalt ist größer, als der Server annimmt.",
                    "Es wurde nichts ausgeführt; der Inhalt wurde nicht zu Ende gelesen.",
                    "Sende weniger. Eine Ressource ist ein Formular, keine Datei."};
        case ProblemCode::target_too_long:
            return {"Das Anfrageziel ist zu lang", "Pfad und Abfrage zusammen sind länger, als der Server annimmt.",
                    "Es wurde nichts ausgeführt.", "Kürze die Abfrage."};
        case ProblemCode::header_too_large:
            return {"Der Kopf ist zu groß", "Die Kopffelder zusammen sind größer, als der Server annimmt.",
                    "Es wurde nichts ausgeführt.",
                    "Sende weniger oder kleinere Kopffelder; oft sind Cookies der Grund."};
        case ProblemCode::request_timeout:
            return {"Die Anfrage kam nicht rechtzeitig an", "Kopf oder Inhalt brauchten länger, als der Server wartet.",
                    "Es wurde nichts ausgeführt; eine Anfrage, die nicht ganz ankam, belegt keinen Schlüssel.",
                    "Sende dieselbe Anfrage noch einmal mit demselben Schlüssel."};
        case ProblemCode::request_malformed:
            return {"Die Anfrage ist nicht lesbar",
                    "Die Anfrage verletzt die Regeln von HTTP oder lässt offen, wo sie endet.",
                    "Es wurde nichts ausgeführt, und die Verbindung wurde womöglich geschlossen.",
                    "Sieh dir den Client oder den Proxy dazwischen an: Eine übliche HTTP-Bibliothek sendet so etwas "
                    "nicht."};
        case ProblemCode::expectation_failed:
            return {"Die Erwartung ist nicht erfüllbar", "Das Expect-Feld verlangt etwas anderes als 100-continue.",
                    "Es wurde nichts ausgeführt.", "Lass das Expect-Feld weg."};
        case ProblemCode::transfer_coding_unsupported:
            return {"Diese Übertragungskodierung wird nicht unterstützt",
                    "Der Inhalt hat eine andere Übertragungskodierung als chunked.", "Es wurde nichts ausgeführt.",
                    "Sende den Inhalt mit Content-Length oder chunked."};
        case ProblemCode::http_version_unsupported:
            return {"Diese HTTP-Version wird nicht unterstützt", "Der Server spricht HTTP/1.1 und HTTP/1.0.",
                    "Es wurde nichts ausgeführt.", "Nimm HTTP/1.1."};
        case ProblemCode::unavailable:
            return {"Der Server kann dies im Augenblick nicht",
                    "Der Server ist überlastet oder wird beendet, oder sein Speicher ist nicht erreichbar.",
                    "Es wurde nichts ausgeführt, und unter dem Schlüssel ist nichts gemerkt.",
                    "Warte die Zeit aus Retry-After ab und sende dieselbe Anfrage mit demselben Schlüssel."};
        case ProblemCode::outcome_unknown:
            return {
                "Ob die Operation ausgeführt wurde, ist nicht bekannt",
                "Die Verbindung zum Speicher riss genau im Augenblick des Abschlusses.",
                "Vielleicht. Entweder ist alles geschehen oder nichts.",
                "Sende dieselbe Anfrage mit demselben Schlüssel: Wurde sie ausgeführt, bekommst du ihr Ergebnis, sonst "
                "wird sie jetzt ausgeführt."};
        case ProblemCode::internal:
            return {"Der Server hat versagt", "Im Server geschah etwas, das nicht geschehen sollte.",
                    "Es wurde nichts ausgeführt. Eine Antwort, die kein Erfolg ist, hat keine Wirkung.",
                    "Sende dieselbe Anfrage noch einmal mit demselben Schlüssel. Bleibt es dabei, gib die "
                    "Anfragekennung dem, "
                    "der den Server betreibt."};
    }
    EINMAL_ASSERT(!"a problem without a text");
}

}  // namespace einmal::http
