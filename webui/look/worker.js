// Shows a notice that the page's server sent, and opens the talk when it is pressed.
self.addEventListener("push", (event) => {
  const { title, body, icon, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, icon, tag: "due", data: url }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const show = ([open]) => (open ? open.focus() : clients.openWindow(event.notification.data));
  event.waitUntil(clients.matchAll({ type: "window", includeUncontrolled: true }).then(show));
});
